package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.ClockOffset;
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
 * @param clockOffset offset of the node's monotonic clock to its wall clock; null if the journal does not have it
 * @param state state of the run: terminal in the part of a run that was replayed
 * @param settings settings that decide the figures, by name
 * @param version version of the program that made the part
 * @param estimates whether the snapshot holds MLPerf's early-stopping estimates
 */
public record PartHeader(
        String runId,
        @Nullable String node,
        @Nullable ClockOffset clockOffset,
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
    public static PartHeader of(RunInfo run, SessionState state, boolean estimates) {
        return new PartHeader(
                run.runId(), run.node(), run.clockOffset(), state, run.settings(), run.version(), estimates);
    }

    private static ClockOffset readOffset(DataInput from) throws IOException {
        long wallMinusMonotonicNanos = from.readLong();
        long uncertaintyNanos = from.readLong();
        if (uncertaintyNanos < 0) {
            throw new PartFormatException("the uncertainty of the clock's offset is " + uncertaintyNanos);
        }
        return new ClockOffset(wallMinusMonotonicNanos, uncertaintyNanos);
    }

    void write(DataOutput to) throws IOException {
        PartFields.writeText(runId, to);
        to.writeBoolean(node != null);
        if (node != null) {
            PartFields.writeText(node, to);
        }
        to.writeBoolean(clockOffset != null);
        if (clockOffset != null) {
            to.writeLong(clockOffset.wallMinusMonotonicNanos());
            to.writeLong(clockOffset.uncertaintyNanos());
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
        ClockOffset clockOffset = from.readBoolean() ? readOffset(from) : null;
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
                clockOffset,
                SessionState.values()[state],
                settings,
                PartFields.readText(from, TEXT_MAX_BYTES, "a version"),
                from.readBoolean());
    }
}
