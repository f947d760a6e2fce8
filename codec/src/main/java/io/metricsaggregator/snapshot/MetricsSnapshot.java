package io.metricsaggregator.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All the daemon knows at one moment.
 *
 * @param counter number of this snapshot, from 1, one more for each that was built; a gap tells a subscriber what it missed
 * @param timestampNanos the daemon's monotonic clock
 * @param state where the run is
 * @param pendingTasks values enqueued and not yet recorded; above 0 in a terminal snapshot, the drain was cut short
 * @param metrics counters first, then series, in registration order
 * @param extensions what this project adds; null in a snapshot of another daemon
 */
public record MetricsSnapshot(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        List<Metric> metrics,
        @Nullable SnapshotExtensions extensions) {

    public MetricsSnapshot {
        metrics = List.copyOf(metrics);
    }

    /** The value of a counter; 0 if there is none of that name. */
    public long counterValue(String name) {
        for (Metric metric : metrics) {
            if (metric instanceof CounterMetric found && found.name().equals(name)) {
                return found.value();
            }
        }
        return 0;
    }

    /** The series of that name, or null. */
    public @Nullable SeriesMetric series(String name) {
        for (Metric metric : metrics) {
            if (metric instanceof SeriesMetric found && found.name().equals(name)) {
                return found;
            }
        }
        return null;
    }
}
