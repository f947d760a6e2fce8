package io.metricsaggregator.registry;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * How sure a percentile is: MLPerf LoadGen's early stopping estimate (mlcommons/inference, loadgen/early_stopping.cc and
 * results.cc) with confidence 0.99 and tolerance 0.
 *
 * <p>The p-th percentile of the system is at most the t-th largest of n values, with that confidence, if fewer than t + 1 values
 * above the percentile are unlikely enough: odds(n − t, t) = I_p(n − t, t + 1) = P(Binomial(n, 1 − p) ≤ t) below 1 − 0.99, where I
 * is the regularised incomplete beta function. The largest such t gives the tightest bound. It is the t of LoadGen's rule, the
 * largest with minPassing(t) + t ≤ n, because the odds fall when the number of values rises.
 */
final class EarlyStopping {
    /** How sure an estimate is. */
    static final double CONFIDENCE = 0.99;

    private EarlyStopping() {}

    /** odds(h, t) = I_p(h, t + 1): how likely it is that of h + t values at most t are above a true p-quantile. */
    static double odds(long passing, long above, double p) {
        return RegularizedBeta.value(p, (double) passing, above + 1.0);
    }

    /**
     * The least number of values not above a bound, besides {@code above} that are, for the bound to hold: the least h ≥ 1 with
     * odds(h, t) below 1 − confidence.
     *
     * @param above t, from 0
     * @param p the percentile as a fraction, between 0 and 1
     */
    static long minPassing(long above, double p) {
        long low = 0;
        long high = 1;
        while (odds(high, above, p) >= 1 - CONFIDENCE) {
            low = high;
            high = Math.multiplyExact(high, 2);
        }
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (odds(middle, above, p) < 1 - CONFIDENCE) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /**
     * Which of {@code count} values bounds the percentile: the t-th largest.
     *
     * @param p the percentile as a fraction, between 0 and 1
     * @return t, from 1; 0 if there are too few values
     */
    static long order(long count, double p) {
        if (!holds(1, count, p)) {
            return 0;
        }
        // Normal approximation to the binomial quantile; the search goes on from there in growing steps.
        double expected = count * (1 - p);
        long guess = (long) (expected - 2.3263 * Math.sqrt(expected * p));
        long low = Math.max(1, Math.min(count - 1, guess));
        long high = count;
        long step = 1;
        if (holds(low, count, p)) {
            while (low + step < count && holds(low + step, count, p)) {
                low += step;
                step *= 2;
            }
            high = Math.min(count, low + step);
        } else {
            high = low;
            while (high - step > 1 && !holds(high - step, count, p)) {
                high -= step;
                step *= 2;
            }
            low = Math.max(1, high - step);
        }
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (holds(middle, count, p)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean holds(long above, long count, double p) {
        return count > above && odds(count - above, above, p) < 1 - CONFIDENCE;
    }
}
