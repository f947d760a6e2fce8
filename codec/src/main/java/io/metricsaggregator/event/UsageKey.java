package io.metricsaggregator.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The counts of a record's {@code usage}: tokens as the server, or the tool's own tokenizer, reports them for one request. The order is that
 * of encoding and of exported columns.
 */
public enum UsageKey {
    /** Tokens of the prompt, cached ones included. */
    PROMPT_TOKENS("prompt_tokens"),
    /** Tokens of the answer, reasoning included. */
    COMPLETION_TOKENS("completion_tokens"),
    /** Tokens of the prompt that came from the prefix cache; at most {@link #PROMPT_TOKENS}. */
    CACHED_TOKENS("cached_tokens"),
    /** Tokens of the prompt that were written to the prefix cache. */
    CACHE_WRITE_TOKENS("cache_write_tokens"),
    /** Tokens of the answer that are reasoning; at most {@link #COMPLETION_TOKENS}. */
    REASONING_TOKENS("reasoning_tokens"),
    /** Tokens of a predicted output that the answer took over. */
    ACCEPTED_PREDICTION_TOKENS("accepted_prediction_tokens"),
    /** Tokens of a predicted output that the answer did not take over. */
    REJECTED_PREDICTION_TOKENS("rejected_prediction_tokens"),
    /** Drafts of speculative decoding. */
    SPEC_DRAFTS("spec_drafts"),
    /** Tokens in the drafts of speculative decoding. */
    SPEC_DRAFT_TOKENS("spec_draft_tokens"),
    /** Draft tokens that the model accepted. */
    SPEC_ACCEPTED_TOKENS("spec_accepted_tokens");

    private static final UsageKey[] ALL = values();

    /** Number of keys. */
    public static final int COUNT = ALL.length;

    private final String wireName;

    @SuppressWarnings("ImmutableEnumChecker") // never handed out
    private final byte[] bytes;

    UsageKey(String wireName) {
        this.wireName = wireName;
        this.bytes = wireName.getBytes(StandardCharsets.US_ASCII);
    }

    /** The key in the map {@code usage}. */
    public String wireName() {
        return wireName;
    }

    /** The ordinal of the key of that name; −1 for an unknown one. Allocates nothing. */
    static int match(ByteBuffer buffer, int start, int length) {
        for (int i = 0; i < COUNT; i++) {
            if (isName(ALL[i].bytes, buffer, start, length)) {
                return i;
            }
        }
        return -1;
    }

    static boolean isName(byte[] name, ByteBuffer buffer, int start, int length) {
        if (name.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer.get(start + i) != name[i]) {
                return false;
            }
        }
        return true;
    }
}
