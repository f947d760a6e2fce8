package io.metricsaggregator.snapshot;

/**
 * A count, or a duration in nanoseconds where the name ends with {@code _ns}.
 *
 * @param name its name
 * @param value its value
 */
public record CounterMetric(String name, long value) implements Metric {}
