package io.metricsaggregator.event;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that one request used, as the server reported them: the optional key {@code usage} of a completion. Immutable.
 *
 * <pre>{@code
 * EventRecord.sample(EventType.SAMPLE_COMPLETE, now, id)
 *         .withUsage(Usage.of(2000, 8).with(UsageKey.CACHED_TOKENS, 1536));
 * }</pre>
 *
 * @param counts a count of at least 0 for each key that was reported; an absent key is unknown, not 0
 * @param byClient whether the tool's own tokenizer counted the tokens rather than the server
 */
public record Usage(Map<UsageKey, Long> counts, boolean byClient) {

    public Usage {
        EnumMap<UsageKey, Long> copy = new EnumMap<>(UsageKey.class);
        copy.putAll(counts);
        copy.forEach((key, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(key.wireName() + " " + count + " is negative");
            }
        });
        requireAtMost(copy, UsageKey.CACHED_TOKENS, UsageKey.PROMPT_TOKENS);
        requireAtMost(copy, UsageKey.REASONING_TOKENS, UsageKey.COMPLETION_TOKENS);
        counts = Collections.unmodifiableMap(copy);
    }

    private static void requireAtMost(Map<UsageKey, Long> counts, UsageKey part, UsageKey whole) {
        Long some = counts.get(part);
        Long all = counts.get(whole);
        if (some != null && all != null && some > all) {
            throw new IllegalArgumentException(
                    part.wireName() + " " + some + " is above " + whole.wireName() + " " + all);
        }
    }

    /** The usage of a request whose server reported the two usual counts. */
    public static Usage of(long promptTokens, long completionTokens) {
        return new Usage(
                Map.of(UsageKey.PROMPT_TOKENS, promptTokens, UsageKey.COMPLETION_TOKENS, completionTokens), false);
    }

    /**
     * Returns a copy with a count.
     *
     * @throws IllegalArgumentException if it is negative or above the count that it is part of
     */
    public Usage with(UsageKey key, long count) {
        EnumMap<UsageKey, Long> more = new EnumMap<>(UsageKey.class);
        more.putAll(counts);
        more.put(key, count);
        return new Usage(more, byClient);
    }

    /** Returns a copy that says that the tool's own tokenizer counted the tokens. */
    public Usage countedByClient() {
        return new Usage(counts, true);
    }

    /** The count of a key; null if it was not reported. */
    public @Nullable Long count(UsageKey key) {
        return counts.get(key);
    }
}
