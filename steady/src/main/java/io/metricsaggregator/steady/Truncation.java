package io.metricsaggregator.steady;

/**
 * The initial values to drop so that the mean of the rest is most precise, by MSER-5: the marginal standard error over means of five consecutive
 * values (White 1997). Reported for comparison; no verdict depends on it.
 *
 * @param values number of initial values to drop, a multiple of five
 * @param error the squared marginal standard error there, in the squared unit of the values
 * @param reached false if the best point is the last that is tried, half of the batches: the run is too short to tell
 */
public record Truncation(int values, double error, boolean reached) {
    private static final int BATCH = 5;

    static Truncation of(double[] values) {
        double[] means = new double[values.length / BATCH];
        for (int i = 0; i < means.length; i++) {
            means[i] = Descriptive.mean(Descriptive.slice(values, i * BATCH, (i + 1) * BATCH));
        }
        return ofMeans(means);
    }

    /** The same from means of five consecutive values. Not reached, with an error of NaN, for no batch. */
    static Truncation ofMeans(double[] means) {
        int best = 0;
        double smallest = Double.NaN;
        for (int drop = 0; drop <= means.length / 2 && drop < means.length; drop++) {
            double[] rest = Descriptive.slice(means, drop, means.length);
            double mean = Descriptive.mean(rest);
            double squares = 0;
            for (double each : rest) {
                squares += (each - mean) * (each - mean);
            }
            double error = squares / ((double) rest.length * rest.length);
            if (drop == 0 || error < smallest) {
                smallest = error;
                best = drop;
            }
        }
        return new Truncation(BATCH * best, smallest, means.length > 0 && best < means.length / 2);
    }
}
