package io.metricsaggregator.steady;

import java.util.Arrays;
import java.util.List;

/**
 * A block of tracked samples that were issued one after the other, usually one pass over the dataset. Times in ns of the producer's clock, durations in
 * ns. The arrays are ascending and not copied: callers must not change them.
 *
 * @param issued samples
 * @param firstIssueNs time of the first issue
 * @param lastIssueNs time of the last issue, retries included
 * @param lastEventNs time of the last event of any of the samples
 * @param ttft times to the first chunk
 * @param ttftWarm the same without first turns of conversations
 * @param tpot times per output token after the first chunk
 * @param latency sample latencies
 * @param outTokens output tokens after the first chunk, of the samples in {@code tpot}
 * @param lengths the same by sample
 */
@SuppressWarnings("ArrayRecordComponent") // two blocks are never compared
public record SuperPass(
        long issued,
        long firstIssueNs,
        long lastIssueNs,
        long lastEventNs,
        double[] ttft,
        double[] ttftWarm,
        double[] tpot,
        double[] latency,
        long outTokens,
        double[] lengths) {

    /** Creates a block without the lengths of single outputs. */
    SuperPass(
            long issued,
            long firstIssueNs,
            long lastIssueNs,
            long lastEventNs,
            double[] ttft,
            double[] ttftWarm,
            double[] tpot,
            double[] latency,
            long outTokens) {
        this(issued, firstIssueNs, lastIssueNs, lastEventNs, ttft, ttftWarm, tpot, latency, outTokens, new double[0]);
    }

    /** Seconds from the first to the last issue. */
    double issueSpanSeconds() {
        return (lastIssueNs - firstIssueNs) / 1e9;
    }

    /** Seconds from the first issue of any block to the last; 0 for no block. */
    static double issueSpanSeconds(List<SuperPass> blocks) {
        long first = blocks.stream().mapToLong(SuperPass::firstIssueNs).min().orElse(0);
        long last = blocks.stream().mapToLong(SuperPass::lastIssueNs).max().orElse(0);
        return (last - first) / 1e9;
    }

    /** All values of one kind, ascending. */
    static double[] pooled(List<SuperPass> blocks, SuperPassValues values) {
        double[] all =
                blocks.stream().map(values::of).flatMapToDouble(Arrays::stream).toArray();
        Arrays.sort(all);
        return all;
    }
}
