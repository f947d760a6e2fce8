package io.metricsaggregator.steady;

import java.util.HashMap;
import java.util.Map;
import org.apache.commons.numbers.gamma.Erf;

/**
 * The Mann-Kendall test for a monotonic trend, two-sided at 5 %.
 *
 * @param s pairs that rise minus pairs that fall
 * @param variance variance of {@code s} without a trend, corrected for ties and by {@code correction}
 * @param correction the factor of Hamed and Rao (1998) for autocorrelation; 1 for the plain test
 * @param z standard score of {@code s} with continuity correction; 0 if the variance is not positive
 * @param p two-sided p value; 0 if the variance is not positive
 */
public record MannKendall(long s, double variance, double correction, double z, double p) {
    /** Fewest values that are tested. */
    static final int VALUES_MIN = 4;
    /** Level of significance of all tests of this package. */
    static final double ALPHA = 0.05;

    private static final double Z_95 = 1.96;

    /** The plain test. Needs at least {@value #VALUES_MIN} values to mean anything. */
    static MannKendall plain(double[] values) {
        return of(values, 1);
    }

    /**
     * The test with the variance corrected for serial correlation: significant autocorrelations of the ranks inflate it. A correction that is not
     * positive, which strong negative autocorrelation yields, is replaced by 1.
     *
     * <p>Hamed, Rao: A modified Mann-Kendall trend test for autocorrelated data. Journal of Hydrology 204 (1998).
     */
    static MannKendall hamedRao(double[] values) {
        double n = values.length;
        double[] ranks = Ranks.ordinal(values);
        double mean = Descriptive.mean(ranks);
        double[] deviations = new double[ranks.length];
        double squares = 0;
        for (int i = 0; i < ranks.length; i++) {
            deviations[i] = ranks[i] - mean;
            squares += deviations[i] * deviations[i];
        }
        double sum = 0;
        for (int lag = 1; lag < ranks.length && squares > 0; lag++) {
            double products = 0;
            for (int i = lag; i < ranks.length; i++) {
                products += deviations[i] * deviations[i - lag];
            }
            double autocorrelation = products / squares;
            if (Math.abs(autocorrelation) > Z_95 / Math.sqrt(n)) {
                sum += (n - lag) * (n - lag - 1) * (n - lag - 2) * autocorrelation;
            }
        }
        double correction = n < 3 ? 1 : 1 + 2 / (n * (n - 1) * (n - 2)) * sum;
        return of(values, correction <= 0 ? 1 : correction);
    }

    private static MannKendall of(double[] values, double correction) {
        long s = 0;
        Map<Double, Integer> ties = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
            }
            ties.merge(values[i] + 0.0, 1, Integer::sum);
        }
        double n = values.length;
        double variance = n * (n - 1) * (2 * n + 5);
        for (double tied : ties.values()) {
            variance -= tied * (tied - 1) * (2 * tied + 5);
        }
        variance = variance / 18 * correction;
        double score = (double) s;
        if (variance <= 0) {
            return new MannKendall(s, variance, correction, 0, 0);
        }
        double z = (score - Math.signum(score)) / Math.sqrt(variance);
        return new MannKendall(s, variance, correction, z, twoSided(z));
    }

    /** The two-sided p value of a standard normal score. */
    static double twoSided(double z) {
        return 2 * (1 - 0.5 * (1 + Erf.value(Math.abs(z) / Math.sqrt(2))));
    }

    /** Whether the trend is significant at 5 %. */
    public boolean isSignificant() {
        return verdict() != TrendVerdict.STEADY;
    }

    /** The direction if significant; without variance the sign of {@code s}. */
    public TrendVerdict verdict() {
        return TrendVerdict.ofSignificant((double) s, p);
    }
}
