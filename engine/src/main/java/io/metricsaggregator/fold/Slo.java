package io.metricsaggregator.fold;

/**
 * Service level objectives: what a sample must keep within to be good, and how many must be.
 *
 * @param ttftNanos to the first token, at most; {@link #NONE} for no limit
 * @param tpotNanos for an output token after the first chunk, at most
 * @param latencyNanos to the completion, at most
 * @param targetShare the share of samples that is to be good, above 0 and up to 1
 */
public record Slo(long ttftNanos, long tpotNanos, long latencyNanos, double targetShare) {
    /** No limit. */
    public static final long NONE = Long.MAX_VALUE;
    /** The share if none is given: what papers on goodput ask for. */
    public static final double DEFAULT_TARGET_SHARE = 0.9;

    public Slo {
        require(ttftNanos > 0 && tpotNanos > 0 && latencyNanos > 0, "a limit of an objective is not above 0");
        require(limits(ttftNanos) || limits(tpotNanos) || limits(latencyNanos), "there is no objective");
        require(targetShare > 0 && targetShare <= 1, "the share of good samples is not above 0 and up to 100%");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static boolean limits(long nanos) {
        return nanos != NONE;
    }

    /** Whether the time to the first token is limited. */
    public boolean limitsTtft() {
        return limits(ttftNanos);
    }

    /** Whether the time for an output token is limited; outputs must then be counted. */
    public boolean limitsTpot() {
        return limits(tpotNanos);
    }

    /** Whether the latency is limited. */
    public boolean limitsLatency() {
        return limits(latencyNanos);
    }
}
