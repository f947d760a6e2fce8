package io.metricsaggregator.snapshot;

import java.util.List;

/** A counter or a series of a snapshot. */
public sealed interface Metric permits CounterMetric, SeriesMetric {

    /** The name, unique among the metrics of a snapshot. */
    String name();

    /** The counters among {@code metrics}, in their order. */
    static List<CounterMetric> counters(List<Metric> metrics) {
        return metrics.stream()
                .filter(CounterMetric.class::isInstance)
                .map(CounterMetric.class::cast)
                .toList();
    }

    /** The series among {@code metrics}, in their order. */
    static List<SeriesMetric> series(List<Metric> metrics) {
        return metrics.stream()
                .filter(SeriesMetric.class::isInstance)
                .map(SeriesMetric.class::cast)
                .toList();
    }

    /** Calls the method of {@code visitor} for this kind of metric. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * One method for each kind of metric.
     *
     * @param <X> what the methods may throw
     */
    interface Visitor<X extends Exception> {
        void counter(CounterMetric counter) throws X;

        void series(SeriesMetric series) throws X;
    }
}
