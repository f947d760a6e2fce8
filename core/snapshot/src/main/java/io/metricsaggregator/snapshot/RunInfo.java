package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a run.
 *
 * @param schemaVersion version of these extensions; raised when a field changes its meaning
 * @param runId a random id, one for each start of the daemon
 * @param version the daemon's version
 * @param startedWallNanos when the daemon started, nanoseconds since 1970 UTC; 0 if unknown, as for an imported file without dates
 * @param wallNanos when this snapshot was built, nanoseconds since 1970 UTC; 0 if unknown
 * @param exposures descriptions of sockets that other users can reach; usually empty
 * @param recomputed descriptions of the settings in which a recomputed run differs from the original; empty if it was not recomputed
 * @param environment the machine and the JVM, by name
 * @param settings the settings that decide the figures, by name; no secrets
 * @param imported where the data comes from if other tools recorded it; null for a run that this project's daemon received
 * @param labels what the user states of the run, by name, such as {@code concurrency}; they decide no figure of it
 * @param node name of the node whose daemon received the run; null for merged and imported runs, and from daemons that named none
 * @param clockOffset where the monotonic clock of that node stands; null where {@code node} is, and in snapshots that a fleet added up
 */
public record RunInfo(
        int schemaVersion,
        String runId,
        String version,
        long startedWallNanos,
        long wallNanos,
        List<String> exposures,
        List<String> recomputed,
        Map<String, String> environment,
        Map<String, String> settings,
        @Nullable Imported imported,
        Map<String, String> labels,
        @Nullable String node,
        @Nullable ClockOffset clockOffset) {
    /** The version written by this code. */
    public static final int SCHEMA_VERSION = 2;

    static final RunInfo BLANK = new RunInfo(0, "", "", 0, 0, List.of(), List.of(), Map.of(), Map.of());

    static RunInfo pass(Fields f, RunInfo v) throws MalformedMessageException {
        int schema = (int) f.count("schema_version", v.schemaVersion());
        String id = f.text("run_id", v.runId());
        String release = f.text("version", v.version());
        long started = date(f, "started_wall_ns", v.startedWallNanos());
        long wall = date(f, "wall_ns", v.wallNanos());
        f.derived("wall_time", wall == 0 ? null : EpochNanos.toInstant(wall).toString());
        return new RunInfo(
                schema,
                id,
                release,
                started,
                wall,
                f.texts("exposures", v.exposures()),
                f.absentTexts("recomputed", v.recomputed()),
                f.textMap("environment", v.environment()),
                f.textMap("settings", v.settings()),
                f.absent("imported", v.imported(), Imported::pass, Imported.BLANK),
                f.absentTextMap("labels", v.labels()),
                f.absentText("node", v.node()),
                f.group(v.clockOffset() != null, "wall_offset_ns")
                        ? ClockOffset.pass(f, v.clockOffset() == null ? ClockOffset.BLANK : v.clockOffset())
                        : null);
    }

    /** A time since 1970; nil where it is 0, unknown. */
    private static long date(Fields f, String key, long nanos) throws MalformedMessageException {
        Long known = f.maybeCount(key, nanos == 0 ? null : (Long) nanos);
        return known == null ? 0 : known;
    }

    /** Whether it is known when the run was. */
    public boolean hasDates() {
        return startedWallNanos != 0;
    }

    /** The same identity with other settings. */
    public RunInfo withSettings(Map<String, String> other) {
        return new RunInfo(
                schemaVersion,
                runId,
                version,
                startedWallNanos,
                wallNanos,
                exposures,
                recomputed,
                environment,
                other,
                imported,
                labels,
                node,
                clockOffset);
    }

    /** Creates the identity of a run without labels and node that was not imported. */
    public RunInfo(
            int schemaVersion,
            String runId,
            String version,
            long startedWallNanos,
            long wallNanos,
            List<String> exposures,
            List<String> recomputed,
            Map<String, String> environment,
            Map<String, String> settings) {
        this(
                schemaVersion,
                runId,
                version,
                startedWallNanos,
                wallNanos,
                exposures,
                recomputed,
                environment,
                settings,
                null,
                Map.of(),
                null,
                null);
    }

    public RunInfo {
        exposures = List.copyOf(exposures);
        recomputed = List.copyOf(recomputed);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
}
