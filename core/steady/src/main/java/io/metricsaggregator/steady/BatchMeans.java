package io.metricsaggregator.steady;

/**
 * A 95 % confidence interval of a mean from the means of consecutive batches, which are taken as independent.
 *
 * @param mean mean of the batch means
 * @param halfWidth half of the interval, in the unit of the values; 0 for fewer than two batches
 */
public record BatchMeans(double mean, double halfWidth) {
    /** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1. */
    private static final double[] T_95 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double Z_95 = 1.96;

    /** NaN for no batches. */
    static BatchMeans of(double[] batches) {
        double mean = Descriptive.mean(batches);
        int n = batches.length;
        if (n < 2) {
            return new BatchMeans(mean, 0);
        }
        double variance = 0;
        for (double each : batches) {
            variance += (each - mean) * (each - mean) / (n - 1);
        }
        return new BatchMeans(mean, t95(n - 1) * Math.sqrt(variance) / Math.sqrt(n));
    }

    /** Two-sided 95 % quantile of Student's t; 1.96 beyond 30 degrees of freedom. */
    static double t95(int degrees) {
        return degrees <= T_95.length ? T_95[degrees - 1] : Z_95;
    }

    public double low() {
        return mean - halfWidth;
    }

    public double high() {
        return mean + halfWidth;
    }
}
