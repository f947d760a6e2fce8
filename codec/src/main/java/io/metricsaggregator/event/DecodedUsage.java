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

    private static final UsageKey[] KEYS = UsageKey.values();

    final long[] counts = new long[UsageKey.COUNT];
    boolean byClient;
    /** Whether a record may have set the counts, which are cleared only then. */
    private boolean touched = true;

    DecodedUsage() {
        clear();
    }

    void clear() {
        if (touched) {
            Arrays.fill(counts, ABSENT);
            byClient = false;
            touched = false;
        }
    }

    /** Clears the counts before a record sets them. */
    void begin() {
        clear();
        touched = true;
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

    /** A copy as an object. Allocates. */
    Usage toUsage() {
        Map<UsageKey, Long> reported = new EnumMap<>(UsageKey.class);
        for (UsageKey key : KEYS) {
            if (has(key)) {
                reported.put(key, count(key));
            }
        }
        return new Usage(reported, byClient);
    }
}
