package io.metricsaggregator.steady;

import java.util.Arrays;

/** Mean, median, percentile and coefficient of variation of exact values. */
final class Descriptive {
    /** Replaces a median of 0 as a divisor, so that relative figures stay finite. */
    private static final double MEDIAN_FLOOR = 1e-9;

    private Descriptive() {}

    /** NaN for no values. */
    static double mean(double[] values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum / values.length;
    }

    /** The mean of the two middle values for an even count; NaN for no values. */
    static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median, or 1e-9 where it is 0. */
    static double medianAboveZero(double[] values) {
        double median = median(values);
        return median == 0 ? MEDIAN_FLOOR : median;
    }

    /** The value at index ⌊p·(n − 1)⌋ of ascending values; NaN for no values. */
    static double percentile(double[] sorted, double p) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) (p * (sorted.length - 1))];
    }

    /** Population standard deviation by |mean|; 0 for fewer than two values or a mean of 0. */
    static double cov(double[] values) {
        if (values.length < 2) {
            return 0;
        }
        double mean = mean(values);
        return mean == 0 ? 0 : deviation(values, mean) / Math.abs(mean);
    }

    /** Population standard deviation around {@code mean}. */
    static double deviation(double[] values, double mean) {
        double squares = 0;
        for (double each : values) {
            squares += (each - mean) * (each - mean);
        }
        return Math.sqrt(squares / values.length);
    }

    /** A copy of the values {@code from} (inclusive) to {@code to} (exclusive). */
    static double[] slice(double[] values, int from, int to) {
        return Arrays.copyOfRange(values, from, to);
    }
}
