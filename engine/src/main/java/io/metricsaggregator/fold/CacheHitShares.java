package io.metricsaggregator.fold;

import io.metricsaggregator.snapshot.Conversations;
import org.jspecify.annotations.Nullable;

/**
 * The shares of prompt tokens that came from a cache, one of each conversation, counted in steps of 0.001. Belongs to the thread of the fold; allocates
 * nothing.
 */
final class CacheHitShares {
    private static final int STEPS = 1000;

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
        return count == 0
                ? null
                : new Conversations.CacheHits(count, sum / count, percentile(0.1), percentile(0.5), percentile(0.9));
    }

    /** The value of rank ⌊p·(n−1)⌋, within 0.0005. */
    private double percentile(double p) {
        long rank = (long) (p * (count - 1));
        long seen = 0;
        for (int step = 0; step < STEPS; step++) {
            seen += counts[step];
            if (seen > rank) {
                return (double) step / STEPS;
            }
        }
        return 1;
    }
}
