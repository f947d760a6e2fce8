package io.metricsaggregator.snapshot;

/** A counter or series of a snapshot, under a unique name. */
public sealed interface Metric permits CounterMetric, SeriesMetric {

    /** The wire name, unique among the metrics of a snapshot. */
    String name();
}
