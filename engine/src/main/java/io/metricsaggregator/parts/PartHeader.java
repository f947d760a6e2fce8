package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a part is of.
 *
 * @param runId id of the run, as in snapshots
 * @param node the machine that received the events; null if the journal does not name it
 * @param state state of the run: terminal in the part of a run that was replayed
 * @param settings settings that decide the figures, by name
 * @param version version of the program that made the part
 * @param estimates whether the snapshot holds MLPerf's early-stopping estimates
 */
public record PartHeader(
        String runId,
        @Nullable String node,
        SessionState state,
        Map<String, String> settings,
        String version,
        boolean estimates) {
    private static final int TEXT_MAX_BYTES = 64 << 10;
    private static final int SETTINGS_MAX = 4096;

    public PartHeader {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /**
     * The header of a run.
     *
     * @param estimates whether the snapshot holds MLPerf's early-stopping estimates
     */
    public static PartHeader of(SnapshotExtensions.RunInfo run, SessionState state, boolean estimates) {
        return new PartHeader(run.runId(), null, state, run.settings(), run.version(), estimates);
    }

    /** The header of the sum of two parts of one run. */
    PartHeader add(PartHeader other) {
        if (!runId.equals(other.runId)) {
            throw new IllegalArgumentException("a part of run " + other.runId + " cannot be added to a part of run "
                    + runId + ": parts of several runs are merged");
        }
        PartHeader first = order(this) <= order(other) ? this : other;
        return new PartHeader(
                runId,
                first.node,
                state.compareTo(other.state) >= 0 ? state : other.state,
                first.settings,
                first.version,
                estimates || other.estimates);
    }

    private static int order(PartHeader header) {
        return header.node == null ? 1 : 0;
    }

    void write(DataOutput to) throws IOException {
        PartFields.writeText(runId, to);
        to.writeBoolean(node != null);
        if (node != null) {
            PartFields.writeText(node, to);
        }
        to.writeByte(state.ordinal());
        to.writeShort(settings.size());
        for (Map.Entry<String, String> each : settings.entrySet()) {
            PartFields.writeText(each.getKey(), to);
            PartFields.writeText(each.getValue(), to);
        }
        PartFields.writeText(version, to);
        to.writeBoolean(estimates);
    }

    static PartHeader read(DataInput from) throws IOException {
        String runId = PartFields.readText(from, TEXT_MAX_BYTES, "a run id");
        String node = from.readBoolean() ? PartFields.readText(from, TEXT_MAX_BYTES, "a node") : null;
        int state = PartFields.bounded(from.readUnsignedByte(), SessionState.values().length - 1, "as a state");
        int size = PartFields.bounded(from.readUnsignedShort(), SETTINGS_MAX, "settings");
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            settings.put(
                    PartFields.readText(from, TEXT_MAX_BYTES, "a setting's name"),
                    PartFields.readText(from, TEXT_MAX_BYTES, "a setting"));
        }
        return new PartHeader(
                runId,
                node,
                SessionState.values()[state],
                settings,
                PartFields.readText(from, TEXT_MAX_BYTES, "a version"),
                from.readBoolean());
    }
}
