package io.metricsaggregator.event;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
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
 * @param specHistogram number of steps of speculative decoding that accepted 0, 1, … draft tokens, at most {@value #HISTOGRAM_MAX}; empty if unknown.
 *     Its sums are {@link UsageKey#SPEC_DRAFTS} and {@link UsageKey#SPEC_ACCEPTED_TOKENS}
 */
public record Usage(Map<UsageKey, Long> counts, boolean byClient, List<Long> specHistogram) {
    /** Key of {@link #specHistogram} in the map {@code usage}. */
    public static final String SPEC_HISTOGRAM = "spec_histogram";
    /** Largest number of entries of {@link #specHistogram}. */
    public static final int HISTOGRAM_MAX = 32;

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
        specHistogram = List.copyOf(specHistogram);
        requireSums(specHistogram, copy);
    }

    /** A usage without a histogram. */
    public Usage(Map<UsageKey, Long> counts, boolean byClient) {
        this(counts, byClient, List.of());
    }

    private static void requireAtMost(Map<UsageKey, Long> counts, UsageKey part, UsageKey whole) {
        Long some = counts.get(part);
        Long all = counts.get(whole);
        if (some != null && all != null && some > all) {
            throw new IllegalArgumentException(
                    part.wireName() + " " + some + " is above " + whole.wireName() + " " + all);
        }
    }

    private static void requireSums(List<Long> histogram, Map<UsageKey, Long> counts) {
        long[] steps = histogram.stream().mapToLong(Long::longValue).toArray();
        long drafts = counts.getOrDefault(UsageKey.SPEC_DRAFTS, DecodedUsage.ABSENT);
        long accepted = counts.getOrDefault(UsageKey.SPEC_ACCEPTED_TOKENS, DecodedUsage.ABSENT);
        if (steps.length > 0 && (steps.length > HISTOGRAM_MAX || !sumUp(steps, steps.length, drafts, accepted))) {
            throw new IllegalArgumentException(SPEC_HISTOGRAM + " " + histogram + " is not at most " + HISTOGRAM_MAX
                    + " numbers of steps for " + UsageKey.SPEC_DRAFTS.wireName() + " "
                    + counts.get(UsageKey.SPEC_DRAFTS) + " and "
                    + UsageKey.SPEC_ACCEPTED_TOKENS.wireName() + " " + counts.get(UsageKey.SPEC_ACCEPTED_TOKENS));
        }
    }

    /** Whether the first entries of a histogram are at least 0 and add up to steps and to accepted tokens. */
    static boolean sumUp(long[] histogram, int entries, long drafts, long accepted) {
        long steps = 0;
        long tokens = 0;
        for (int i = entries - 1; i >= 0; i--) {
            if (histogram[i] < 0) {
                return false;
            }
            // Steps that accepted i tokens or more have an i-th token each.
            steps = TimestampMath.saturatedAdd(steps, histogram[i]);
            tokens = i == 0 ? tokens : TimestampMath.saturatedAdd(tokens, steps);
        }
        return steps == drafts && tokens == accepted;
    }

    /** The usage of a request whose server reported the two usual counts. */
    public static Usage of(long promptTokens, long completionTokens) {
        return new Usage(
                Map.of(UsageKey.PROMPT_TOKENS, promptTokens, UsageKey.COMPLETION_TOKENS, completionTokens), false);
    }

    /**
     * Returns a copy with a count.
     *
     * @throws IllegalArgumentException if it is negative, above the count that it is part of, or not that of the histogram
     */
    public Usage with(UsageKey key, long count) {
        EnumMap<UsageKey, Long> more = new EnumMap<>(UsageKey.class);
        more.putAll(counts);
        more.put(key, count);
        return new Usage(more, byClient, specHistogram);
    }

    /**
     * Returns a copy with the steps of speculative decoding by their accepted draft tokens, whose sums are among the counts.
     *
     * @throws IllegalArgumentException if an entry is negative, there are too many, or the sums differ from the counts; the message names them
     */
    public Usage withSpecHistogram(List<Long> steps) {
        return new Usage(counts, byClient, steps);
    }

    /** Returns a copy that says that the tool's own tokenizer counted the tokens. */
    public Usage countedByClient() {
        return new Usage(counts, true, specHistogram);
    }

    /** The count of a key; null if it was not reported. */
    public @Nullable Long count(UsageKey key) {
        return counts.get(key);
    }
}
