package io.metricsaggregator.steady;

/** How long a level must be held to be certified. */
public final class RequiredDuration {
    private static final double RELAXATION_TIMES = 5;

    private RequiredDuration() {}

    /**
     * The longest of a floor, five times the p90 latency, and the time for a precision of ±5 % of the mean where that needs more than four blocks.
     *
     * @param cov coefficient of variation of the blocks
     * @param blockSeconds duration of a block
     * @param latencySeconds p90 latency
     * @param floorSeconds the floor
     */
    public static double seconds(double cov, double blockSeconds, double latencySeconds, double floorSeconds) {
        int blocks = MinimumDuration.batches(cov);
        double precision = blocks > Admissibility.BLOCKS_MIN ? blocks * blockSeconds : 0;
        return Math.max(floorSeconds, Math.max(precision, RELAXATION_TIMES * latencySeconds));
    }
}
