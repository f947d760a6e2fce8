package io.metricsaggregator.snapshot.figures;

import static io.metricsaggregator.snapshot.fields.Fields.Merge.FIRST;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.MEAN;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.NONE;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.PEAK;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
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

    public static final Conversations BLANK = new Conversations(0, 0, 0, 0, null, 0, 0, null, null, List.of());

    /** The fields; see {@link Fields.Shape}. */
    public static Conversations pass(Fields f, Conversations v) throws MalformedMessageException {
        return new Conversations(
                f.count("seen", v.seen()),
                f.count("open", v.open()),
                f.count("active", v.active()),
                f.by(PEAK).count("active_peak", v.activePeak()),
                f.by(NONE).maybeReal("active_mean", v.activeMean()),
                f.count("completed", v.completed()),
                f.count("failed", v.failed()),
                f.by(NONE).maybeReal("per_s", v.perSecond()),
                f.absent("cache_hit_ratio", v.cache(), CacheHits::pass, CacheHits.BLANK),
                f.by(NONE).list("by_turn", v.byTurn(), Turns::pass, Turns.BLANK));
    }

    public Conversations {
        byTurn = List.copyOf(byTurn);
    }

    /** The same with other turns. */
    public Conversations withTurns(List<Turns> turns) {
        return new Conversations(
                seen, open, active, activePeak, activeMean, completed, failed, perSecond, cache, turns);
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
            @Nullable Double p90) {
        private static final CacheHits BLANK = new CacheHits(0, 0, null, null, null);

        private static CacheHits pass(Fields f, CacheHits v) throws MalformedMessageException {
            return new CacheHits(
                    f.count("count", v.count()),
                    f.by(MEAN).real("mean", v.mean()),
                    f.by(NONE).maybeReal("p10", v.p10()),
                    f.by(NONE).maybeReal("p50", v.p50()),
                    f.by(NONE).maybeReal("p90", v.p90()));
        }
    }

    /**
     * Lengths of prompts or outputs.
     *
     * @param count samples with a length
     * @param total sum of the lengths
     */
    public record Tokens(long count, long total) {
        private static final Tokens BLANK = new Tokens(0, 0);

        private static Tokens pass(Fields f, Tokens v) throws MalformedMessageException {
            Tokens tokens = new Tokens(f.count("count", v.count()), f.count("total", v.total()));
            f.derived("mean", v.mean());
            return tokens;
        }

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
        private static final Turns BLANK = new Turns(1, 1, 0, 0, 0, Tokens.BLANK, Tokens.BLANK, 0, 0, null, null);

        /** The fields; see {@link Fields.Shape}. */
        public static Turns pass(Fields f, Turns v) throws MalformedMessageException {
            int from = place(f.by(FIRST).count("from", v.from()));
            Integer last = v.to();
            Long to = f.by(FIRST).maybeCount("to", last == null ? null : (Long) last.longValue());
            long issued = f.count("issued", v.issued());
            long completed = f.count("completed", v.completed());
            long failed = f.count("failed", v.failed());
            LabelBreakdown.Durations firstToken = LabelBreakdown.Durations.maybe(f.by(NONE), "ttft_ns", v.firstToken());
            LabelBreakdown.Durations latency = LabelBreakdown.Durations.maybe(f.by(NONE), "latency_ns", v.latency());
            Tokens input = f.record("isl", v.input(), Tokens::pass, Tokens.BLANK);
            Tokens output = f.record("osl", v.output(), Tokens::pass, Tokens.BLANK);
            long promptTokens = f.count("cache_prompt_tokens", v.promptTokens());
            long cachedTokens = f.count("cache_hit_tokens", v.cachedTokens());
            f.derived("cache_hit_ratio", v.cachedShare());
            return new Turns(
                    from,
                    to == null ? null : (Integer) place(to),
                    issued,
                    completed,
                    failed,
                    input,
                    output,
                    promptTokens,
                    cachedTokens,
                    firstToken,
                    latency);
        }

        private static int place(long value) {
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, value));
        }

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
