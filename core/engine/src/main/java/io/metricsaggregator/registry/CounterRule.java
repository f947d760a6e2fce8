package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.CounterName;

/** How the values of a counter in several parts of one run make the value of the run. */
public enum CounterRule {
    /** The values add up; a sum above 64 bits stays at the largest value. */
    SUM,
    /** The largest value counts: of durations from the start of the session. */
    LARGEST,
    /** The smallest value counts. */
    SMALLEST;

    /** The rule of a counter by its name in snapshots; counts that the catalogue does not know add up. */
    public static CounterRule of(String name) {
        CounterName known = CounterName.ofWire(name);
        return known == CounterName.TOTAL_DURATION_NS
                        || known == CounterName.TRACKED_DURATION_NS
                        || known == CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS
                        || known == CounterName.SUCCEEDED_DURATION_NS
                ? LARGEST
                : SUM;
    }

    /** Combines the values of two parts. */
    public long combine(long a, long b) {
        return switch (this) {
            case SUM -> {
                long sum = a + b;
                yield ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
            }
            case LARGEST -> Math.max(a, b);
            case SMALLEST -> Math.min(a, b);
        };
    }
}
