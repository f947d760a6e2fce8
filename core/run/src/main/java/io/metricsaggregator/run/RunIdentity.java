package io.metricsaggregator.run;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.RunIds;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of a run, part of every snapshot: id, start, version, environment, settings and the differences of a recomputed run.
 * Immutable, except that {@code exclusion} counts records.
 *
 * @param id 16 hexadecimal digits
 * @param version version of this program
 * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC
 * @param environment properties of the machine that measured the run, by name
 * @param settings settings that decide the run's numbers, by name
 * @param changes settings in which a recomputed run differs from the recorded one, in words
 * @param exclusion records that are left out of it; null for none
 * @param imported where the data of an imported run comes from; null for a run that a daemon received
 * @param labels what the user states of the run, by name
 * @param node name of the node that receives the run; null for imported runs, and for recorded runs that name none
 * @param clockOffset where the monotonic clock of that node stands; null where it was not recorded
 */
record RunIdentity(
        String id,
        String version,
        long startedWallNanos,
        Map<String, String> environment,
        Map<String, String> settings,
        List<String> changes,
        @Nullable WorkerExclusion exclusion,
        @Nullable Imported imported,
        Map<String, String> labels,
        @Nullable String node,
        @Nullable ClockOffset clockOffset) {
    private static final Logger LOG = LoggerFactory.getLogger(RunIdentity.class);

    /**
     * The identity of a live run: a new one, or that of the run that this process resumes.
     *
     * @param recovery what was read back; empty for a new run
     * @param clockOffset where the monotonic clock of this process stands
     */
    static RunIdentity live(RunConfig config, JournalRecovery recovery, ClockOffset clockOffset) {
        return of(config, recovery, Environment.describe(), List.of(), null, node(config, recovery), clockOffset);
    }

    /** A run has one node for its life, on which its parts and rows are named: a resumed run keeps the recorded one. */
    private static String node(RunConfig config, JournalRecovery recovery) {
        String given = config.node();
        String recorded = recovery.node();
        if (recorded == null) {
            return given == null ? Environment.node() : given;
        }
        if (given != null && !given.equals(recorded)) {
            LOG.warn("node name not used node={} recorded={}: a resumed run keeps its node", given, recorded);
        }
        return recorded;
    }

    /**
     * The identity of a recorded run, with the environment of the machine that measured it.
     *
     * @param changes settings in which it differs from the recorded run, in words
     * @param exclusion records that are left out of it; null for none
     */
    static RunIdentity replayed(
            RunConfig config, JournalRecovery recovery, List<String> changes, @Nullable WorkerExclusion exclusion) {
        Map<String, String> recorded = recovery.environment();
        // An imported run was measured on another machine, which its files do not describe.
        boolean own = recorded.isEmpty() && recovery.imported() == null;
        return of(
                config,
                recovery,
                own ? Environment.describe() : recorded,
                changes,
                exclusion,
                recovery.node(),
                recovery.clockOffset());
    }

    private static RunIdentity of(
            RunConfig config,
            JournalRecovery recovery,
            Map<String, String> environment,
            List<String> changes,
            @Nullable WorkerExclusion exclusion,
            @Nullable String node,
            @Nullable ClockOffset clockOffset) {
        String recordedId = recovery.runId();
        long started = recovery.startedWallNanos();
        return new RunIdentity(
                recordedId == null ? RunIds.random() : recordedId,
                config.version(),
                started == 0 && recovery.imported() == null ? EpochNanos.now() : started,
                environment,
                RunConfigCodec.encode(config),
                changes,
                exclusion,
                recovery.imported(),
                labels(config, recovery),
                node,
                clockOffset);
    }

    /** The recorded labels, with those of the configuration over them. */
    private static Map<String, String> labels(RunConfig config, JournalRecovery recovery) {
        Map<String, String> labels = new TreeMap<>(recovery.labels());
        labels.putAll(config.labels());
        return labels;
    }

    /**
     * Returns the identity as a snapshot holds it.
     *
     * @param wallNanos time of the snapshot, in nanoseconds since 1970 UTC
     * @param exposures endpoints that are open to other hosts, in words
     */
    RunInfo info(long wallNanos, List<String> exposures) {
        return new RunInfo(
                RunInfo.SCHEMA_VERSION,
                id,
                version,
                startedWallNanos,
                wallNanos,
                exposures,
                recomputed(),
                environment,
                settings,
                imported,
                labels,
                node,
                clockOffset);
    }

    /** The origin of the run as a journal holds it. */
    RunOrigin origin() {
        ClockOffset offset = clockOffset;
        return new RunOrigin(
                id,
                node,
                offset == null ? null : (Long) offset.wallMinusMonotonicNanos(),
                offset == null ? null : (Long) offset.uncertaintyNanos());
    }

    private List<String> recomputed() {
        if (exclusion == null) {
            return changes;
        }
        List<String> words = new ArrayList<>(changes);
        words.add(exclusion.excluded() + " records left out with the workers");
        return words;
    }
}
