package io.metricsaggregator.daemon;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every snapshot says about its run: id, start, version, environment, settings and the differences of a recomputed run.
 * Immutable but for the records that {@code exclusion} counts.
 *
 * @param id 16 hexadecimal digits
 * @param version of this program
 * @param startedWallNanos since 1970 UTC
 * @param environment the machine the run was measured on
 * @param settings those that decide its numbers
 * @param changes settings in which a recomputed run differs from the recorded one, in words
 * @param exclusion records that are left out of it; null for none
 */
record RunIdentity(
        String id,
        String version,
        long startedWallNanos,
        Map<String, String> environment,
        Map<String, String> settings,
        List<String> changes,
        @Nullable WorkerExclusion exclusion) {
    private static final int ID_BYTES = 8;

    /**
     * The identity of a new run, or that of the run in the journal.
     *
     * @param journal after it has been read; null for none
     * @param nowWallNanos the start of a new run
     */
    static RunIdentity of(
            RunConfig config,
            List<String> changes,
            @Nullable WorkerExclusion exclusion,
            @Nullable RunJournal journal,
            long nowWallNanos) {
        String resumed = journal == null ? null : journal.runId();
        long started = journal == null ? 0 : journal.startedWallNanos();
        return new RunIdentity(
                resumed == null ? newId() : resumed,
                config.version(),
                started == 0 ? nowWallNanos : started,
                environment(journal),
                RunConfigCodec.encode(config),
                changes,
                exclusion);
    }

    /**
     * What a snapshot says about its run.
     *
     * @param wallNanos time of the snapshot, since 1970 UTC
     * @param exposures what the sockets are open to
     */
    SnapshotExtensions.RunInfo info(long wallNanos, List<String> exposures) {
        return new SnapshotExtensions.RunInfo(
                SnapshotExtensions.RunInfo.SCHEMA_VERSION,
                id,
                version,
                startedWallNanos,
                wallNanos,
                exposures,
                recomputed(),
                environment,
                settings);
    }

    private List<String> recomputed() {
        if (exclusion == null) {
            return changes;
        }
        List<String> words = new ArrayList<>(changes);
        words.add(exclusion.excluded() + " records left out with the workers");
        return words;
    }

    /** A replay may run on another machine than the run did. */
    private static Map<String, String> environment(@Nullable RunJournal journal) {
        Map<String, String> recorded =
                journal != null && journal.isReadOnly() ? journal.environment() : Map.<String, String>of();
        return recorded.isEmpty() ? Environment.describe() : recorded;
    }

    private static String newId() {
        byte[] bytes = new byte[ID_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
