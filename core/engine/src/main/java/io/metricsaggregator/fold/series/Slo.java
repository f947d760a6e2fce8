package io.metricsaggregator.fold.series;

/**
 * Service level objectives: the limits that a good sample keeps, and the share of samples that should be good. At least one limit is set.
 *
 * @param ttftNanos longest time to first token, above 0; {@link #NONE} for no limit
 * @param tpotNanos longest time per output token after the first chunk, above 0; {@link #NONE} for no limit
 * @param latencyNanos longest time to completion, above 0; {@link #NONE} for no limit
 * @param targetShare the share of samples that should be good, above 0 and up to 1
 */
public record Slo(long ttftNanos, long tpotNanos, long latencyNanos, double targetShare) {
    /** No limit. */
    public static final long NONE = Long.MAX_VALUE;
    /** The default share: 90 %, as in the literature on goodput. */
    public static final double DEFAULT_TARGET_SHARE = 0.9;

    public Slo {
        require(ttftNanos > 0 && tpotNanos > 0 && latencyNanos > 0, "a limit of an objective is not above 0");
        require(limits(ttftNanos) || limits(tpotNanos) || limits(latencyNanos), "no objective given");
        require(targetShare > 0 && targetShare <= 1, "the share of good samples is not above 0 and up to 100%");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    private static boolean limits(long nanos) {
        return nanos != NONE;
    }

    /** Whether the time to the first token is limited. */
    public boolean limitsTtft() {
        return limits(ttftNanos);
    }

    /** Whether the time per output token is limited; outputs must then be counted. */
    public boolean limitsTpot() {
        return limits(tpotNanos);
    }

    /** Whether the latency is limited. */
    public boolean limitsLatency() {
        return limits(latencyNanos);
    }
}
