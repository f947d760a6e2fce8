package io.metricsaggregator.runs;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The 95 % interval of the ratio of two means over autocorrelated time slices, by the circular block bootstrap (Politis and Romano 1992): drawing
 * blocks of neighbours keeps the autocorrelation. The block length is that of Politis and White (2004) for the lag-1 autocorrelation ρ,
 * (6ρ²/(1 − ρ²)²·n)^(1/3), and at least n^(1/3). Blocks of length b underestimate the variance by the factor (1 − b/n), which is corrected.
 *
 * @param low lower end of the 95 % interval of the ratio
 * @param high upper end
 * @param p two-sided p-value, at least 1/(draws + 1)
 */
record BlockBootstrap(double low, double high, double p) {
    /** Fewest slices for a test. */
    static final int LEAST = 8;

    private static final int DRAWS = 4000;
    /** A fixed seed makes comparisons reproducible. */
    private static final long SEED = 20240229;

    /** Compares {@code other} with {@code base}; null with too few slices or a mean of 0. */
    static @Nullable BlockBootstrap compare(double @Nullable [] base, double @Nullable [] other) {
        if (base == null || other == null || base.length < LEAST || other.length < LEAST || mean(base) <= 0) {
            return null;
        }
        SplittableRandom random = new SplittableRandom(SEED);
        double[] ratios = new double[DRAWS];
        int baseBlock = blockLength(base);
        int otherBlock = blockLength(other);
        double baseMean = mean(base);
        double otherMean = mean(other);
        int above = 0;
        int below = 0;
        for (int i = 0; i < DRAWS; i++) {
            double denominator = draw(base, baseBlock, baseMean, random);
            double ratio =
                    denominator <= 0 ? Double.MAX_VALUE : draw(other, otherBlock, otherMean, random) / denominator;
            ratios[i] = ratio;
            above += ratio >= 1 ? 1 : 0;
            below += ratio <= 1 ? 1 : 0;
        }
        java.util.Arrays.sort(ratios);
        double p = Math.min(1, 2.0 * (Math.min(above, below) + 1) / (DRAWS + 1));
        return new BlockBootstrap(ratios[(int) (0.025 * DRAWS)], ratios[(int) (0.975 * DRAWS)], p);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum / values.length;
    }

    /** The block length in slices, by Politis and White. */
    static int blockLength(double[] values) {
        int n = values.length;
        double mean = mean(values);
        double next = 0;
        double all = 0;
        for (int i = 0; i < n; i++) {
            double here = values[i] - mean;
            all += here * here;
            next += i + 1 < n ? here * (values[i + 1] - mean) : 0;
        }
        // Short runs underestimate ρ by about (1 + 4ρ)/n (Marriott and Pope).
        double raw = all == 0 ? 0 : next / all;
        double rho = Math.max(0, Math.min(0.95, raw + (1 + 4 * raw) / n));
        double wanted = Math.cbrt(6 * rho * rho / Math.pow(1 - rho * rho, 2) * n);
        return (int) Math.max(1, Math.min(n / 4.0, Math.ceil(Math.max(Math.cbrt(n), wanted))));
    }

    /** The mean of blocks that start at random places of the circle of values, with the variance corrected. */
    static double draw(double[] values, int block, double mean, SplittableRandom random) {
        int n = values.length;
        double sum = 0;
        int drawn = 0;
        while (drawn < n) {
            int start = random.nextInt(n);
            int length = Math.min(block, n - drawn);
            int end = Math.min(start + length, n);
            for (int i = start; i < end; i++) {
                sum += values[i];
            }
            // The circle closes: the rest of the block stands at the start.
            for (int i = 0; i < start + length - n; i++) {
                sum += values[i];
            }
            drawn += length;
        }
        return mean + (sum / n - mean) / Math.sqrt(1 - (double) block / n);
    }

    /** Cliff's delta, −1 to 1: the share of pairs with {@code other} above {@code base}, minus the share with it below. */
    static double cliff(double[] base, double[] other) {
        long sum = 0;
        for (double a : base) {
            for (double b : other) {
                sum += (long) Math.signum(b - a);
            }
        }
        return (double) sum / ((double) base.length * other.length);
    }
}
