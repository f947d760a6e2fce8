package io.metricsaggregator.runs;

import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.jspecify.annotations.Nullable;

/**
 * The 95 % interval of the ratio of two means over autocorrelated time slices. The variance of each mean is the equal-weighted cosine estimate
 * (Lazarus, Lewis, Stock and Watson 2018): of n values, the mean of the first B squared coefficients of their cosine transform, over n. The ratio of
 * the estimate to the variance has about B degrees of freedom, and the difference of the logarithms of the means about those of Welch and Satterthwaite.
 *
 * <p>B is as large as keeps the estimate within {@value #BIAS} of the spectrum at 0, by the correlation that {@link #decay} estimates: a run whose
 * slices depend on each other for longer has a wider interval, by fewer degrees of freedom as well.
 *
 * @param low lower end of the 95 % interval of the ratio
 * @param high upper end
 * @param p two-sided p-value of the ratio 1
 */
record RatioInterval(double low, double high, double p) {
    /** Fewest slices for a test. */
    static final int LEAST = 8;

    private static final double BIAS = 0.08;
    private static final int COSINES_MIN = 4;
    /** The largest decay that is told from a trend; slices that decay more slowly have {@link #COSINES_MIN} cosines in any run. */
    private static final double DECAY_MAX = 0.97;

    private static final double TWO_SIDED = 0.05;

    /** A mean with the variance and the degrees of freedom of its logarithm. */
    private record Mean(double value, double variance, int degrees) {}

    /** Compares {@code other} with {@code base}; null with too few slices or a mean of 0 or below. */
    static @Nullable RatioInterval of(double @Nullable [] base, double @Nullable [] other) {
        if (base == null || other == null || base.length < LEAST || other.length < LEAST) {
            return null;
        }
        Mean one = mean(base);
        Mean two = mean(other);
        if (one.value() <= 0 || two.value() <= 0) {
            return null;
        }
        double ratio = two.value() / one.value();
        double variance = one.variance() + two.variance();
        if (variance == 0) {
            return new RatioInterval(ratio, ratio, ratio == 1 ? 1 : 0);
        }
        double degrees = variance
                * variance
                / (one.variance() * one.variance() / one.degrees() + two.variance() * two.variance() / two.degrees());
        double error = Math.sqrt(variance);
        double reach = Math.exp(studentQuantile(degrees) * error);
        return new RatioInterval(ratio / reach, ratio * reach, studentBeyond(Math.log(ratio) / error, degrees));
    }

    private static Mean mean(double[] values) {
        double mean = average(values);
        int cosines = cosines(values);
        double sum = 0;
        for (int j = 1; j <= cosines; j++) {
            double coefficient = coefficient(values, mean, j);
            sum += coefficient * coefficient;
        }
        return new Mean(mean, sum / cosines / values.length / (mean * mean), cosines);
    }

    private static double average(double[] values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum / values.length;
    }

    /** The j-th coefficient of the orthonormal cosine transform (DCT-II) of the differences from the mean. */
    private static double coefficient(double[] values, double mean, int j) {
        int n = values.length;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (values[i] - mean) * Math.cos(Math.PI * j * (i + 0.5) / n);
        }
        return sum * Math.sqrt(2.0 / n);
    }

    /**
     * The number of cosines. With B of them the estimate is off by about (π²/6)·(B/n)²·k of itself, where k = 2φ/(1 − φ)² is the curvature of the
     * spectrum of a process that decays by φ a slice. At most 3 · 0.41·n^(2/3), three times what its authors recommend without knowing φ.
     */
    static int cosines(double[] values) {
        int n = values.length;
        double decay = decay(values);
        double curvature = 2 * decay / ((1 - decay) * (1 - decay));
        double most = Math.min(n / 2.0, 1.23 * Math.pow(n, 2.0 / 3));
        double wanted = curvature == 0 ? most : n * Math.sqrt(6 * BIAS / (Math.PI * Math.PI * curvature));
        return (int) Math.max(COSINES_MIN, Math.min(most, wanted));
    }

    /**
     * The factor by which correlation decays from one slice to the next, 0 to {@value #DECAY_MAX}: the lag-1 autocorrelation ρ1, or ρ2/ρ1 if that is
     * larger and ρ1 differs from 0. The latter is the decay of a slow process under independent noise, which lowers ρ1 and ρ2 alike.
     */
    static double decay(double[] values) {
        int n = values.length;
        double mean = average(values);
        double variance = 0;
        double one = 0;
        double two = 0;
        for (int i = 0; i < n; i++) {
            double here = values[i] - mean;
            variance += here * here;
            one += i + 1 < n ? here * (values[i + 1] - mean) : 0;
            two += i + 2 < n ? here * (values[i + 2] - mean) : 0;
        }
        if (variance == 0) {
            return 0;
        }
        // Short runs underestimate ρ by about (1 + 4ρ)/n (Marriott and Pope).
        double correction = (1 + 4 * one / variance) / n;
        double first = one / variance + correction;
        double second = two / variance + correction;
        double decay = first > 2 / Math.sqrt(n) ? Math.max(first, second / first) : first;
        return Math.max(0, Math.min(DECAY_MAX, decay));
    }

    /** The probability that Student's t is farther from 0 than {@code t}. */
    private static double studentBeyond(double t, double degrees) {
        return RegularizedBeta.value(degrees / (degrees + t * t), degrees / 2, 0.5);
    }

    /** The t beyond which, on both sides, Student's t lies with a probability of 5 %. */
    private static double studentQuantile(double degrees) {
        double low = 0;
        // Degrees are at least 4, for which it is 2.78.
        double high = 4;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            if (studentBeyond(middle, degrees) > TWO_SIDED) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
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
