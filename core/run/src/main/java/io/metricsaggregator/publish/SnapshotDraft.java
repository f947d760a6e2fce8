package io.metricsaggregator.publish;

import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SteadyState;

/**
 * A snapshot that is taken but not rendered: copies made by the thread that owns the state.
 *
 * @param counter number of the snapshot, from 1
 * @param timestampNanos time of the snapshot on the daemon's monotonic clock
 * @param state state of the run at that time
 * @param pendingTasks number of texts that are not counted
 * @param metrics copies of counters and series
 * @param extensions the other parts of the snapshot, without the steady state
 * @param batches batches that are closed, from which the steady state is judged
 */
public record SnapshotDraft(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        RegistryCopy metrics,
        SnapshotExtensions extensions,
        ClosedBatches batches) {

    /** Renders the snapshot, with percentiles from the histograms. Takes about a millisecond, some more when a batch has closed. */
    MetricsSnapshot render(SteadyJudge judge) {
        SteadyState steady = judge.judge(batches);
        return new MetricsSnapshot(
                counter,
                timestampNanos,
                state,
                pendingTasks,
                metrics.render(),
                extensions.withSteady(
                        steady == null ? null : steady.withSaturation(SaturationJudge.of(extensions.slices()))));
    }
}
