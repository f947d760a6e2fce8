package io.metricsaggregator.registry;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * Confidence bounds of percentiles by the early-stopping rule of MLPerf LoadGen (mlcommons/inference, loadgen/early_stopping.cc and
 * results.cc), with confidence 0.99 and tolerance 0. Stateless.
 *
 * <p>The p-th percentile of the system is at most the t-th largest of n values, with that confidence, if fewer than t + 1 values
 * above the percentile are unlikely enough: odds(n − t, t) = I_p(n − t, t + 1) = P(Binomial(n, 1 − p) ≤ t) below 1 − 0.99, where I
 * is the regularised incomplete beta function. The largest such t gives the tightest bound. It is the t of LoadGen's rule, the
 * largest with minPassing(t) + t ≤ n, because the odds fall when the number of values rises.
 */
final class EarlyStopping {
    /** Probability with which a percentile of the system is at most its bound. */
    static final double CONFIDENCE = 0.99;

    private EarlyStopping() {}

    /** Returns odds(h, t) = I_p(h, t + 1): the probability that at most t of h + t values are above a true p-quantile. */
    static double odds(long passing, long above, double p) {
        return RegularizedBeta.value(p, (double) passing, above + 1.0);
    }

    /**
     * Returns the least number of values not above a bound for it to hold if {@code above} values are above it: the least h ≥ 1 with
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
     * Returns which of {@code count} values bounds a percentile, counted from the largest.
     *
     * @param p the percentile as a fraction, between 0 and 1
     * @return t, where the t-th largest value is the bound; 0 if there are too few values for a bound
     */
    static long order(long count, double p) {
        if (!holds(1, count, p)) {
            return 0;
        }
        // The search starts at the normal approximation of the binomial quantile and proceeds in growing steps.
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
