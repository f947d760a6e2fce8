package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The daemon's state at one moment.
 *
 * @param counter number of this snapshot, from 1; a subscriber that sees a gap missed the snapshots between
 * @param timestampNanos the daemon's monotonic clock, in nanoseconds
 * @param state the state of the session
 * @param pendingTasks texts enqueued and not yet counted; above 0 in a terminal snapshot, the drain was cut short
 * @param metrics counters, then series, each in the order of registration
 * @param extensions the fields that MLCommons endpoints does not have; {@link SnapshotExtensions#NONE} in a snapshot of another daemon
 */
public record MetricsSnapshot(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        List<Metric> metrics,
        SnapshotExtensions extensions) {

    public MetricsSnapshot {
        metrics = List.copyOf(metrics);
    }

    /** All counters, in the order of registration. */
    public List<CounterMetric> counters() {
        return Metric.counters(metrics);
    }

    /** All series, in the order of registration. */
    public List<SeriesMetric> series() {
        return Metric.series(metrics);
    }

    /** The value of a counter; 0 if the snapshot does not have it. */
    public long counter(CounterName name) {
        return counterValue(name.wire());
    }

    /** Whether the snapshot has that counter; one of an older version or of another daemon may lack it. */
    public boolean has(CounterName name) {
        return findCounter(name.wire()) != null;
    }

    /** A series; null if the snapshot does not have it. */
    public @Nullable SeriesMetric series(SeriesName name) {
        return series(name.wire());
    }

    /** The value of a counter whose name comes from outside: an option, another daemon. 0 if the snapshot does not have it. */
    public long counterValue(String name) {
        CounterMetric found = findCounter(name);
        return found == null ? 0 : found.value();
    }

    /** A series whose name comes from outside: an option, another daemon. Null if the snapshot does not have it. */
    public @Nullable SeriesMetric series(String name) {
        for (Metric metric : metrics) {
            if (metric instanceof SeriesMetric found && found.name().equals(name)) {
                return found;
            }
        }
        return null;
    }

    private @Nullable CounterMetric findCounter(String name) {
        for (Metric metric : metrics) {
            if (metric instanceof CounterMetric found && found.name().equals(name)) {
                return found;
            }
        }
        return null;
    }
}
