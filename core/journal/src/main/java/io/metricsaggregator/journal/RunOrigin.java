package io.metricsaggregator.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a run was received, and where the monotonic clock of that host stood, as the RUN entry of a segment says. Read from untrusted text: what cannot be
 * read is null, as in journals of versions that recorded none, and in journals that {@code import} wrote.
 *
 * @param runId id of the run; null if the segment names none
 * @param node name of the node that received the run, a valid {@link NodeName}
 * @param wallOffsetNanos wall clock minus monotonic clock, in nanoseconds
 * @param wallOffsetUncertaintyNanos how far {@code wallOffsetNanos} may be off, in nanoseconds, at least 0; null exactly where {@code wallOffsetNanos} is
 */
public record RunOrigin(
        @Nullable String runId,
        @Nullable String node,
        @Nullable Long wallOffsetNanos,
        @Nullable Long wallOffsetUncertaintyNanos) {
    /** Id of the run. */
    public static final String RUN_ID = "run_id";
    /** Start of the run on the wall clock, in nanoseconds since 1970 UTC. */
    public static final String STARTED_WALL_NANOS = "started_wall_ns";
    /** The same start on the monotonic clock of the process that wrote the segment, in nanoseconds; negative for a run resumed after a restart of the host. */
    public static final String STARTED_MONOTONIC_NANOS = "started_mono_ns";
    /** How far the pairing of both starts may be off, in nanoseconds. */
    public static final String UNCERTAINTY_NANOS = "wall_offset_uncertainty_ns";
    /** Name of the node. */
    public static final String NODE = "node";

    /** The origin of a journal that says nothing of it. */
    public static final RunOrigin UNKNOWN = new RunOrigin(null, null, null, null);

    /** Reads the origin from the description of a run. */
    public static RunOrigin of(Map<String, String> description) {
        Long wall = number(description.get(STARTED_WALL_NANOS));
        Long monotonic = number(description.get(STARTED_MONOTONIC_NANOS));
        Long uncertainty = number(description.get(UNCERTAINTY_NANOS));
        String runId = description.get(RUN_ID);
        String node = NodeName.nearest(description.get(NODE));
        return wall == null || monotonic == null || uncertainty == null || uncertainty < 0
                ? new RunOrigin(runId, node, null, null)
                : new RunOrigin(runId, node, wall - monotonic, uncertainty);
    }

    /**
     * The entries of a description that say where a run is received.
     *
     * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC
     */
    public Map<String, String> entries(long startedWallNanos) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put(STARTED_WALL_NANOS, Long.toString(startedWallNanos));
        if (runId != null) {
            entries.put(RUN_ID, runId);
        }
        if (node != null) {
            entries.put(NODE, node);
        }
        if (wallOffsetNanos != null && wallOffsetUncertaintyNanos != null) {
            entries.put(STARTED_MONOTONIC_NANOS, Long.toString(startedWallNanos - wallOffsetNanos));
            entries.put(UNCERTAINTY_NANOS, Long.toString(wallOffsetUncertaintyNanos));
        }
        return entries;
    }

    private static @Nullable Long number(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
