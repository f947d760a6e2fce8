package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A count, or a duration in nanoseconds where the name ends with {@code _ns}.
 *
 * @param name the wire name, of the catalogue or of another daemon
 * @param value the value, in the unit that the name implies
 */
public record CounterMetric(String name, long value) implements Metric {
    /** Written out: the generated method is slow until it is compiled, and an idle daemon compares every counter several times a second. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CounterMetric counter && counter.value == value && counter.name.equals(name);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Long.hashCode(value);
    }

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.counter(this);
    }
}
