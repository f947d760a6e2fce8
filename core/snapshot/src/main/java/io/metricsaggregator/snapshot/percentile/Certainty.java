package io.metricsaggregator.snapshot.percentile;

import io.metricsaggregator.catalogue.Percentile;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many values make a percentile certain: it has a bound that holds with 99 % confidence for independent values of any distribution. A percentile from
 * 50 up has an upper bound, by MLPerf's early stopping rule: the largest value but t − 1, once P(Binomial(n, 1 − p) ≤ t) is below 0.01 for t = 1. One
 * below 50 has a lower bound of the same kind, so p10 needs as many values as p90. Views mark the others with {@value #MARK}, whatever the row. Thread-safe.
 */
public final class Certainty {
    /** Stands behind a percentile that is not certain. */
    public static final String MARK = "?";

    private static final double CONFIDENCE = 0.99;
    private static final Map<Double, Long> LEAST = new ConcurrentHashMap<>();

    private Certainty() {}

    /** Whether a percentile of so many values is certain. */
    public static boolean isCertain(double percent, long count) {
        return missing(percent, count) == 0;
    }

    /** {@link #isCertain(double, long)} of one of the usual percentiles. */
    public static boolean isCertain(Percentile percentile, long count) {
        return isCertain(percentile.percent(), count);
    }

    /** The mark behind a percentile of so many values: {@value #MARK}, or nothing if it is certain. */
    public static String mark(double percent, long count) {
        return isCertain(percent, count) ? "" : MARK;
    }

    /** {@link #mark(double, long)} of one of the usual percentiles. */
    public static String mark(Percentile percentile, long count) {
        return mark(percentile.percent(), count);
    }

    /**
     * Values that a percentile lacks to be certain; 0 if it is.
     *
     * @param percent above 0 and below 100
     * @param count values that it is taken of
     */
    public static long missing(double percent, long count) {
        return Math.max(0, least(percent) - count);
    }

    /**
     * The least number of values with which a percentile is certain, such as 11 for p50, 662 for p99 and 6636 for p99.9; {@link Long#MAX_VALUE} if no
     * number makes it so, as of an extreme.
     */
    public static long least(double percent) {
        return LEAST.computeIfAbsent(Math.max(percent, 100 - percent), Certainty::search);
    }

    private static long search(double percent) {
        double p = percent / 100;
        long low = 1;
        long high = 2;
        // Percentiles of a file may be any numbers.
        if (!(p < 1)) {
            return Long.MAX_VALUE;
        }
        while (doubt(high, p) >= 1 - CONFIDENCE) {
            if (high > Long.MAX_VALUE / 2) {
                return Long.MAX_VALUE;
            }
            low = high;
            high *= 2;
        }
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (doubt(middle, p) < 1 - CONFIDENCE) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** P(Binomial(n, 1 − p) ≤ 1): the probability that at most one of n values is above the true percentile. */
    private static double doubt(long n, double p) {
        return Math.pow(p, (double) n) + (double) n * (1 - p) * Math.pow(p, (double) (n - 1));
    }
}
