package io.metricsaggregator.event;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The {@code usage} of a decoded record. {@link EventDecoder} fills and reuses it; it is valid only if {@link DecodedEvent#hasUsage()}. One
 * owner at a time.
 */
public final class DecodedUsage {
    /** The count of a key that the record does not have. */
    public static final long ABSENT = -1;

    static final int NONE = -1;
    static final int REJECTED = -2;

    private static final UsageKey[] KEYS = UsageKey.values();

    final long[] counts = new long[UsageKey.COUNT];
    boolean byClient;
    /** Steps by their accepted draft tokens, as many as the record has. */
    final long[] histogram = new long[Usage.HISTOGRAM_MAX];

    /** Entries of the histogram, or {@link #NONE} or {@link #REJECTED}. */
    int histogramEntries = NONE;
    /** Whether a record may have set the counts, which are cleared only then. */
    private boolean touched = true;

    DecodedUsage() {
        clear();
    }

    void clear() {
        if (touched) {
            Arrays.fill(counts, ABSENT);
            byClient = false;
            histogramEntries = NONE;
            touched = false;
        }
    }

    /** A record sets the counts, which were cleared. */
    void begin() {
        touched = true;
    }

    /** Rejects a histogram that contradicts the counts, which may stand behind it. */
    void checkHistogram() {
        if (histogramEntries >= 0
                && !Usage.sumUp(
                        histogram,
                        histogramEntries,
                        count(UsageKey.SPEC_DRAFTS),
                        count(UsageKey.SPEC_ACCEPTED_TOKENS))) {
            histogramEntries = REJECTED;
        }
    }

    boolean isEmpty() {
        for (long count : counts) {
            if (count != ABSENT) {
                return false;
            }
        }
        return true;
    }

    /** Whether no part is larger than its whole. */
    boolean isConsistent() {
        return isAtMost(UsageKey.CACHED_TOKENS, UsageKey.PROMPT_TOKENS)
                && isAtMost(UsageKey.REASONING_TOKENS, UsageKey.COMPLETION_TOKENS);
    }

    private boolean isAtMost(UsageKey part, UsageKey whole) {
        return count(whole) == ABSENT || count(part) <= count(whole);
    }

    /** The count of a key, at least 0; {@link #ABSENT} if the record does not have it. */
    public long count(UsageKey key) {
        return counts[key.ordinal()];
    }

    /** Whether the record has the count of a key. */
    public boolean has(UsageKey key) {
        return counts[key.ordinal()] != ABSENT;
    }

    /** Whether the tool's own tokenizer counted the tokens rather than the server. */
    public boolean isByClient() {
        return byClient;
    }

    /** Number of entries of a valid histogram of speculative decoding; 0 without one. */
    public int histogramEntries() {
        return Math.max(0, histogramEntries);
    }

    /** Number of steps that accepted so many draft tokens, fewer than {@link #histogramEntries}. */
    public long steps(int accepted) {
        return histogram[accepted];
    }

    /** Whether the record has a histogram that breaks a rule; it alone is ignored. */
    public boolean isHistogramRejected() {
        return histogramEntries == REJECTED;
    }

    /** A copy as an object. Allocates. */
    Usage toUsage() {
        Map<UsageKey, Long> reported = new EnumMap<>(UsageKey.class);
        for (UsageKey key : KEYS) {
            if (has(key)) {
                reported.put(key, count(key));
            }
        }
        return new Usage(
                reported,
                byClient,
                Arrays.stream(histogram, 0, histogramEntries()).boxed().toList());
    }
}
