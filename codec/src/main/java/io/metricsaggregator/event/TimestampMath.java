package io.metricsaggregator.event;

/**
 * Differences and sums of timestamps and durations, which producers may choose anywhere in 64 bits. No method overflows silently:
 * results beyond 64 bits are reported by {@link #fits} or saturate. Stateless; safe from any thread.
 */
public final class TimestampMath {
    private TimestampMath() {}

    /** Whether {@code end − start} fits 64 bits. */
    public static boolean fits(long start, long end) {
        return ((end ^ start) & (end ^ (end - start))) >= 0;
    }

    /** Returns {@code end − start}, or the nearest 64-bit number where the difference does not fit. */
    public static long saturatedBetween(long start, long end) {
        if (fits(start, end)) {
            return end - start;
        }
        return end < start ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Returns the sum of two non-negative numbers, or {@link Long#MAX_VALUE} where it does not fit. */
    public static long saturatedAdd(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Returns the sum of two numbers of any sign, or the nearest 64-bit number where it does not fit. */
    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return !overflow ? sum : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
