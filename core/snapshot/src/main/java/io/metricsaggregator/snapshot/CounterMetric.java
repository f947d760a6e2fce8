package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.CounterName;
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

    /**
     * Whether a later value of a counter may be smaller.
     *
     * @param name its wire name
     */
    public static boolean mayFall(String name) {
        // The time up to the completion of the sample issued last: one that was issued before may have completed later.
        return name.equals(CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS.wire());
    }
}
