package io.metricsaggregator.answer;

import io.metricsaggregator.event.UsageKey;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Token counts as a server reported them, by the names of the OpenAI and the Anthropic API. A count is at least 0, or null if the server did
 * not report it or reported no such number. Immutable.
 *
 * @param promptTokens tokens of the input, those from a cache included
 * @param completionTokens tokens of the output, reasoning included
 * @param cachedTokens input tokens that the server took from its cache
 * @param reasoningTokens output tokens that are reasoning
 * @param speculation its speculative decoding
 */
public record AnswerUsage(
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable Long cachedTokens,
        @Nullable Long reasoningTokens,
        SpecDecoding speculation) {
    /** No count. */
    public static final AnswerUsage NONE = new AnswerUsage(null, null, null, null, SpecDecoding.NONE);

    /** Reads a {@code usage} object; {@link #NONE} if the value is none. */
    public static AnswerUsage of(@Nullable Object usage) {
        if (!(usage instanceof Map<?, ?> counts)) {
            return NONE;
        }
        Long read = count(counts.get("cache_read_input_tokens"));
        Long written = count(counts.get("cache_creation_input_tokens"));
        Long prompt = first(counts, "prompt_tokens", "input_tokens");
        if (prompt != null && counts.get("prompt_tokens") == null) {
            // Anthropic counts apart what came from its cache or went into it.
            prompt += (read == null ? 0 : read) + (written == null ? 0 : written);
        }
        Long cached = detail(counts, "cached_tokens", "prompt_tokens_details", "input_tokens_details");
        return new AnswerUsage(
                prompt,
                first(counts, "completion_tokens", "output_tokens"),
                either(cached, either(read, count(counts.get("cached_tokens")))),
                either(
                        detail(counts, "reasoning_tokens", "completion_tokens_details", "output_tokens_details"),
                        count(counts.get("reasoning_tokens"))),
                SpecDecoding.NONE);
    }

    /**
     * The counts of a later message, and those of this one that it does not report. The prompt does not change: its larger count stays,
     * because a later one may lack the cached tokens.
     */
    public AnswerUsage and(AnswerUsage later) {
        return new AnswerUsage(
                larger(later.promptTokens, promptTokens),
                either(later.completionTokens, completionTokens),
                either(later.cachedTokens, cachedTokens),
                either(later.reasoningTokens, reasoningTokens),
                later.speculation.equals(SpecDecoding.NONE) ? speculation : later.speculation);
    }

    /** The same counts with the cached tokens that llama.cpp reports beside them, unless they are known. */
    AnswerUsage andCached(@Nullable Object tokens) {
        return new AnswerUsage(
                promptTokens, completionTokens, either(cachedTokens, count(tokens)), reasoningTokens, speculation);
    }

    /** The same counts, and what vLLM reports in its object {@code metrics}. */
    AnswerUsage andSpeculation(Map<?, ?> metrics) {
        return and(new AnswerUsage(null, null, null, null, SpecDecoding.of(metrics)));
    }

    /** All counts that are known, by their keys. */
    public Map<UsageKey, Long> counts() {
        Map<UsageKey, Long> counts = new EnumMap<>(UsageKey.class);
        put(counts, UsageKey.PROMPT_TOKENS, promptTokens);
        put(counts, UsageKey.COMPLETION_TOKENS, completionTokens);
        put(counts, UsageKey.CACHED_TOKENS, cachedTokens);
        put(counts, UsageKey.REASONING_TOKENS, reasoningTokens);
        counts.putAll(speculation.counts());
        return counts;
    }

    private static void put(Map<UsageKey, Long> counts, UsageKey key, @Nullable Long count) {
        if (count != null) {
            counts.put(key, count);
        }
    }

    private static @Nullable Long detail(Map<?, ?> counts, String name, String... objects) {
        for (String object : objects) {
            Long count = counts.get(object) instanceof Map<?, ?> details ? count(details.get(name)) : null;
            if (count != null) {
                return count;
            }
        }
        return null;
    }

    private static @Nullable Long first(Map<?, ?> counts, String name, String other) {
        return either(count(counts.get(name)), count(counts.get(other)));
    }

    private static @Nullable Long either(@Nullable Long count, @Nullable Long other) {
        return count == null ? other : count;
    }

    private static @Nullable Long larger(@Nullable Long count, @Nullable Long other) {
        return count == null || other == null ? either(count, other) : (Long) Math.max(count, other);
    }

    static @Nullable Long count(@Nullable Object value) {
        if (value instanceof Long count) {
            return count < 0 ? null : count;
        }
        if (!(value instanceof Number number)) {
            return null;
        }
        double real = number.doubleValue();
        return real >= 0 && real < 1L << 53 && real == Math.rint(real) ? (Long) (long) real : null;
    }
}
