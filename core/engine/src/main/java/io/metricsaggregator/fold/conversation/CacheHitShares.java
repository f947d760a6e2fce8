package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import org.jspecify.annotations.Nullable;

/**
 * The shares of prompt tokens that came from a cache, one of each conversation, counted in steps of 0.001. Belongs to the thread of the fold; allocates
 * nothing.
 */
final class CacheHitShares {
    private static final int STEPS = 1000;
    private static final double[] PERCENTILES = {10, 50, 90};

    private final int[] counts = new int[STEPS + 1];
    private long count;
    private double sum;

    /** Records the share of a conversation with {@code promptTokens} above 0; cached tokens are at most as many. */
    void record(long cachedTokens, long promptTokens) {
        double share = Math.min(1, (double) cachedTokens / (double) promptTokens);
        counts[(int) Math.round(share * STEPS)]++;
        count++;
        sum += share;
    }

    /** Copies the distribution; null without values. */
    Conversations.@Nullable CacheHits summary() {
        if (count == 0) {
            return null;
        }
        HistogramPercentiles estimate = new HistogramPercentiles(PERCENTILES, count);
        for (int step = 0; step <= STEPS; step++) {
            if (counts[step] > 0) {
                estimate.add((double) step / STEPS, counts[step]);
            }
        }
        double[] found = estimate.within(0, 1);
        return new Conversations.CacheHits(count, sum / count, found[0], found[1], found[2]);
    }
}
