package io.metricsaggregator.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conversations of tracked samples: those with the same {@code conversation_id}. Their series are separate, see the catalogue.
 *
 * @param seen conversations with a turn so far
 * @param open conversations with a turn in flight, or idle for less than 300 s; 0 once the session has ended
 * @param active conversations with a turn in flight
 * @param activePeak the largest {@code active} so far
 * @param activeMean mean of {@code active} over time, from the first issue to the last completion; null before any time has passed
 * @param completed conversations that ended, all turns completed without an error
 * @param failed conversations that ended with no turn in flight, a turn completed after an error
 * @param perSecond {@code completed} over the same time as {@code activeMean}; null before any has passed
 * @param cache cached prompt tokens by conversation; null unless servers report them, and before the first such conversation ended
 * @param byTurn turns by their place in the conversation, the earliest first
 */
public record Conversations(
        long seen,
        long open,
        long active,
        long activePeak,
        @Nullable Double activeMean,
        long completed,
        long failed,
        @Nullable Double perSecond,
        @Nullable CacheHits cache,
        List<Turns> byTurn) {

    public Conversations {
        byTurn = List.copyOf(byTurn);
    }

    /** Whether every conversation had one turn so far: their figures are those of the samples. */
    public boolean areSingleTurns() {
        return !byTurn.isEmpty()
                && byTurn.stream()
                        .allMatch(each -> each.from() == 1 && Integer.valueOf(1).equals(each.to()));
    }

    /**
     * Shares of prompt tokens that came from the cache, 0 to 1, one of each conversation that ended. Percentiles are within 0.0005; null in a merged run.
     *
     * @param count conversations
     */
    public record CacheHits(
            long count,
            double mean,
            @Nullable Double p10,
            @Nullable Double p50,
            @Nullable Double p90) {}

    /**
     * Lengths of prompts or outputs.
     *
     * @param count samples with a length
     * @param total sum of the lengths
     */
    public record Tokens(long count, long total) {
        /** The mean length; null without samples. */
        public @Nullable Double mean() {
            return count == 0 ? null : (Double) ((double) total / count);
        }
    }

    /**
     * Turns at one place of their conversation, or at several.
     *
     * @param from the first place, from 1
     * @param to the last place; null for all beyond {@code from}
     * @param issued turns issued
     * @param completed turns completed
     * @param failed turns of {@code completed} that completed after an error
     * @param input lengths of prompts
     * @param output lengths of outputs of turns that succeeded
     * @param promptTokens prompt tokens of the turns that report cached tokens
     * @param cachedTokens those of {@code promptTokens} that came from the cache
     * @param firstToken times to the first chunk; null without any, and in a merged run
     * @param latency latencies of turns that succeeded; null without any, and in a merged run
     */
    public record Turns(
            int from,
            @Nullable Integer to,
            long issued,
            long completed,
            long failed,
            Tokens input,
            Tokens output,
            long promptTokens,
            long cachedTokens,
            LabelBreakdown.@Nullable Durations firstToken,
            LabelBreakdown.@Nullable Durations latency) {

        /** The place as text: {@code 3}, {@code 17-32} or {@code 65+}. */
        public String place() {
            if (to == null) {
                return from + "+";
            }
            return to == from ? Integer.toString(from) : from + "-" + to;
        }

        /** The share of prompt tokens that came from the cache, 0 to 1; null if no turn reports it. */
        public @Nullable Double cachedShare() {
            return promptTokens == 0 ? null : (Double) ((double) cachedTokens / promptTokens);
        }
    }
}
