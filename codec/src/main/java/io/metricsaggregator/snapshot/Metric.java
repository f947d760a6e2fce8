package io.metricsaggregator.snapshot;

/** One entry of a snapshot. */
public sealed interface Metric permits CounterMetric, SeriesMetric {

    /** Its name, unique among the metrics of a snapshot. */
    String name();
}
