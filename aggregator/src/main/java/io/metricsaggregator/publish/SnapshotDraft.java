package io.metricsaggregator.publish;

import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;

/**
 * A snapshot taken and not yet rendered: copies, made by the thread that owns the state.
 *
 * @param counter its number
 * @param timestampNanos when it was taken, on the daemon's monotonic clock
 * @param state the run's state then
 * @param pendingTasks values not yet recorded
 * @param metrics counters and series
 * @param extensions all the rest
 */
public record SnapshotDraft(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        RegistryCopy metrics,
        SnapshotExtensions extensions) {

    /** The snapshot, with percentiles of the histograms. Any thread; takes about a millisecond. */
    MetricsSnapshot render() {
        return new MetricsSnapshot(counter, timestampNanos, state, pendingTasks, metrics.render(), extensions);
    }
}
