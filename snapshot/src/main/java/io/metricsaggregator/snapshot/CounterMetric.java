package io.metricsaggregator.snapshot;

/**
 * A count, or a duration in nanoseconds where the name ends with {@code _ns}.
 *
 * @param name the wire name, of the catalogue or of another daemon
 * @param value the value, in the unit that the name implies
 */
public record CounterMetric(String name, long value) implements Metric {
    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.counter(this);
    }
}
