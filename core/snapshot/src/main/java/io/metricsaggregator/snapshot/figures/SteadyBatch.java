package io.metricsaggregator.snapshot.figures;

/**
 * Tracked samples that were issued in one span of time. Counts are of samples; durations in ns and of samples without an error, NaN where nothing was measured.
 *
 * @param fromNanos start of the span, on the producers' clock
 * @param toNanos end of the span, exclusive
 * @param issued samples issued, not counting those issued again or evicted later
 * @param open samples that have not completed
 * @param uncounted completed samples whose output is not counted yet
 * @param completed samples completed without an error
 * @param failed samples completed with an error
 * @param good samples that met all objectives
 * @param tokens output tokens counted
 * @param ttft mean time to the first chunk
 * @param tpot mean time per output token after the first chunk
 * @param chunkDelta mean time between chunks
 * @param latencyP50 median latency
 * @param latencyP90 90th percentile of latency
 */
public record SteadyBatch(
        long fromNanos,
        long toNanos,
        long issued,
        long open,
        long uncounted,
        long completed,
        long failed,
        long good,
        long tokens,
        double ttft,
        double tpot,
        double chunkDelta,
        double latencyP50,
        double latencyP90) {
    private static final double UNSETTLED_MAX = 0.05;

    /** Whether the span has passed by {@code newestNanos} and at most 5 % of its samples are open or uncounted. */
    public boolean isClosed(long newestNanos) {
        return newestNanos >= toNanos && open + uncounted <= UNSETTLED_MAX * issued;
    }

    /** Whether at most 5 % of the samples have an output that is not counted yet. */
    public boolean isCounted() {
        return uncounted <= UNSETTLED_MAX * issued;
    }
}
