package io.metricsaggregator.run;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.security.SecureRandom;
import java.time.Instant;
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
     * The identity of a live run: a new one, or that of the run which was read back.
     *
     * @param recovery what was read back; null without a journal
     */
    static RunIdentity live(RunConfig config, @Nullable JournalRecovery recovery) {
        return of(config, recovery, Environment.describe(), List.of(), null);
    }

    /**
     * The identity of a recorded run, on the machine that measured it.
     *
     * @param changes as {@link #changes}
     * @param exclusion as {@link #exclusion}
     */
    static RunIdentity replayed(
            RunConfig config, JournalRecovery recovery, List<String> changes, @Nullable WorkerExclusion exclusion) {
        Map<String, String> recorded = recovery.environment();
        return of(config, recovery, recorded.isEmpty() ? Environment.describe() : recorded, changes, exclusion);
    }

    private static RunIdentity of(
            RunConfig config,
            @Nullable JournalRecovery recovery,
            Map<String, String> environment,
            List<String> changes,
            @Nullable WorkerExclusion exclusion) {
        String recordedId = recovery == null ? null : recovery.runId();
        long started = recovery == null ? 0 : recovery.startedWallNanos();
        return new RunIdentity(
                recordedId == null ? newId() : recordedId,
                config.version(),
                started == 0 ? nowWallNanos() : started,
                environment,
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

    private static long nowWallNanos() {
        return EpochNanos.of(Instant.now());
    }

    private static String newId() {
        byte[] bytes = new byte[ID_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
