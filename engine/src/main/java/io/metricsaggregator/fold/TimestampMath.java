package io.metricsaggregator.fold;

/** Differences of timestamps that may lie anywhere in 64 bits. */
public final class TimestampMath {
    private TimestampMath() {}

    /** Whether {@code end − start} fits 64 bits. */
    static boolean fits(long start, long end) {
        return ((end ^ start) & (end ^ (end - start))) >= 0;
    }

    /** {@code end − start}, or the nearest number of 64 bits. */
    public static long saturatedBetween(long start, long end) {
        if (fits(start, end)) {
            return end - start;
        }
        return end < start ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** The sum of two numbers that are not negative, or the largest number of 64 bits. */
    public static long saturatedAdd(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** The sum of two numbers of any sign, or the nearest number of 64 bits. */
    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return !overflow ? sum : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
