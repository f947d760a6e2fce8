package io.metricsaggregator.snapshot;

/** A counter or a series of a snapshot. */
public sealed interface Metric permits CounterMetric, SeriesMetric {

    /** The name, unique among the metrics of a snapshot. */
    String name();

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
