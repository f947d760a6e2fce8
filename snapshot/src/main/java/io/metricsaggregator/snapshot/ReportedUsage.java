package io.metricsaggregator.snapshot;

import io.metricsaggregator.event.UsageKey;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that servers reported with the completions of tracked samples. They are kept apart from tokens that the daemon counts.
 *
 * @param reported completions of tracked samples with a valid usage, those after an error included
 * @param failed completions of {@code reported} after an error; only {@code totals} include their tokens
 * @param byClient completions of {@code reported} whose tokens the tool's own tokenizer counted
 * @param totals sum of each count over {@code reported}; a key that no completion had is absent
 * @param cache successes that reported cached tokens
 * @param speculation successes that reported speculative decoding
 * @param mismatches for each count that the daemon counted too, how the two differ
 */
public record ReportedUsage(
        long reported,
        long failed,
        long byClient,
        Map<UsageKey, Long> totals,
        Cache cache,
        Speculation speculation,
        List<Mismatch> mismatches) {

    public ReportedUsage {
        EnumMap<UsageKey, Long> copy = new EnumMap<>(UsageKey.class);
        copy.putAll(totals);
        totals = Collections.unmodifiableMap(copy);
        mismatches = List.copyOf(mismatches);
    }

    /** Creates the usage of a run whose daemon counted no tokens. */
    public ReportedUsage(
            long reported,
            long failed,
            long byClient,
            Map<UsageKey, Long> totals,
            Cache cache,
            Speculation speculation) {
        this(reported, failed, byClient, totals, cache, speculation, List.of());
    }

    /**
     * How a reported count differs from the daemon's own, over the successes that have both. The deviation of a sample is
     * (reported − counted) / counted.
     *
     * @param kind {@code prompt}, {@code completion} or {@code reasoning}
     * @param compared samples
     * @param mismatched samples of {@code compared} that deviate by more than a tenth
     * @param skipped samples that report a count and have none to compare it with, or one of 0
     * @param reportedTokens sum of the reported counts of {@code compared}
     * @param countedTokens sum of the daemon's counts of {@code compared}
     * @param p50 median of the absolute deviation; null in a merged run
     * @param p99 its 99th percentile; null in a merged run
     */
    public record Mismatch(
            String kind,
            long compared,
            long mismatched,
            long skipped,
            long reportedTokens,
            long countedTokens,
            @Nullable Double p50,
            @Nullable Double p99) {
        /** The signed deviation of the sums; null if nothing was counted. */
        public @Nullable Double biasRatio() {
            return countedTokens == 0 ? null : (double) reportedTokens / countedTokens - 1;
        }
    }

    /**
     * Successes that reported both prompt and cached tokens. A sample that reports no cached tokens is in neither sum: the server may have
     * cached and not say so.
     *
     * @param reported samples
     * @param promptTokens their prompt tokens
     * @param hitTokens those of {@code promptTokens} that came from the cache
     */
    public record Cache(long reported, long promptTokens, long hitTokens) {
        /** The share of prompt tokens that came from the cache, 0 to 1; null without prompt tokens. */
        public @Nullable Double hitRatio() {
            return promptTokens == 0 ? null : (double) hitTokens / promptTokens;
        }
    }

    /**
     * Successes that reported drafts, draft tokens and accepted tokens.
     *
     * @param reported samples
     * @param drafts number of drafts
     * @param draftTokens tokens in the drafts
     * @param acceptedTokens draft tokens that the model accepted
     */
    public record Speculation(long reported, long drafts, long draftTokens, long acceptedTokens) {
        /** Accepted tokens per draft token; null without draft tokens. */
        public @Nullable Double acceptanceRatio() {
            return draftTokens == 0 ? null : (double) acceptedTokens / draftTokens;
        }

        /** Tokens that one step yields on average: accepted tokens per draft and the model's own token; null without drafts. */
        public @Nullable Double acceptanceLength() {
            return drafts == 0 ? null : 1 + (double) acceptedTokens / drafts;
        }
    }
}
