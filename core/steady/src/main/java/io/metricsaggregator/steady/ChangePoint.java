package io.metricsaggregator.steady;

/**
 * The most likely single change of level, by the rank test of Pettitt (1979).
 *
 * @param position values before the change; 0 if fewer than four values were given
 * @param k the statistic K, largest |U|
 * @param p approximate p value, 2·exp(−6K²/(n³ + n²)), at most 1
 */
public record ChangePoint(int position, double k, double p) {

    /** The most likely change among values in the order of time. */
    public static ChangePoint of(double[] values) {
        double n = values.length;
        if (n < MannKendall.VALUES_MIN) {
            return new ChangePoint(0, 0, 1);
        }
        double[] ranks = Ranks.averaged(values);
        double sum = 0;
        double largest = 0;
        int position = 0;
        for (int before = 1; before < values.length; before++) {
            sum += ranks[before - 1];
            double u = Math.abs(2 * sum - before * (n + 1));
            if (u > largest) {
                largest = u;
                position = before;
            }
        }
        double p = 2 * Math.exp(-6 * largest * largest / (n * n * n + n * n));
        return new ChangePoint(position, largest, Math.min(1, p));
    }

    /** Whether the change is significant at 5 %. */
    public boolean isSignificant() {
        return p < MannKendall.ALPHA;
    }
}
