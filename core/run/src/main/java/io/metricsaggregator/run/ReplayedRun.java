package io.metricsaggregator.run;

import io.metricsaggregator.journal.JournalClock;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.transport.TransportStats;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A run recomputed from a journal. It has one snapshot, taken at the time of the journal's end, without rates and without the cost of
 * this process, which is not part of the run. Used by one thread.
 */
final class ReplayedRun extends Run {
    private final JournalClock clock;

    /**
     * A run with all frames of its journal applied.
     *
     * @param clock both clocks at the end of the journal
     */
    ReplayedRun(RunParts parts, RunIdentity identity, JournalClock clock) {
        super(parts, identity);
        this.clock = clock;
    }

    /** Counts the remaining texts and takes the terminal snapshot: INTERRUPTED if the journal ends before the session. */
    MetricsSnapshot complete() {
        return complete(() -> false);
    }

    /**
     * Takes the terminal snapshot as {@link #complete()}.
     *
     * @param outOfTime once it returns true, the remaining series get percentiles from their histograms
     */
    MetricsSnapshot complete(BooleanSupplier outOfTime) {
        enterLive();
        if (isEnded()) {
            enterDraining();
        }
        texts.countAll();
        if (isEnded()) {
            end("the journal ends here");
        } else {
            interrupt("the journal ends before the session does");
        }
        TransportStats noSockets = new TransportStats();
        refresh(clock.endNanos(), noSockets);
        long pending = texts.pending();
        texts.stop();
        List<Metric> metrics = exactMetrics(outOfTime);
        SnapshotExtensions extensions = extensions(
                clock.endNanos(),
                identity().info(clock.endWallNanos(identity().startedWallNanos()), noSockets.exposures),
                List.of(),
                null);
        Imported imported = identity().imported();
        if (imported != null && !imported.hasTimeline()) {
            metrics = ImportedRun.withoutDurations(metrics);
            extensions = ImportedRun.withoutTimeline(extensions);
        }
        return new MetricsSnapshot(1, clock.endNanos(), state(), pending, metrics, extensions);
    }
}
