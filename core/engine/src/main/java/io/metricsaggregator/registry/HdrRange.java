package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.Unit;

/**
 * The range of values that the HDR histogram of a series holds; it records values outside at the nearer edge.
 *
 * @param lowest smallest value, at least 1
 * @param highest largest value, at least twice {@code lowest}
 */
public record HdrRange(long lowest, long highest) {

    /** Durations: 1 ns to 1 h. */
    public static final HdrRange DURATION_NANOS = new HdrRange(1, 3_600_000_000_000L);

    /** Token counts, turns, and tokens per second: 1 to ten million. */
    public static final HdrRange TOKENS = new HdrRange(1, 10_000_000L);

    public HdrRange {
        if (lowest < 1 || highest < 2 * lowest) {
            throw new IllegalArgumentException("HDR range " + lowest + " to " + highest
                    + ": the lowest value must be at least 1, the highest at least twice that");
        }
    }

    /**
     * Returns the range of series of a unit.
     *
     * @throws IllegalArgumentException if no series has that unit
     */
    static HdrRange of(Unit unit) {
        return switch (unit) {
            case NANOSECONDS -> DURATION_NANOS;
            case TOKENS, TOKENS_PER_SECOND, TURNS -> TOKENS;
            case COUNT, BYTES -> throw new IllegalArgumentException("series of " + unit + " have no histogram range");
        };
    }

    /** Returns the value of the range that is nearest to {@code value}. */
    public long clamp(long value) {
        return value < lowest ? lowest : Math.min(value, highest);
    }
}
