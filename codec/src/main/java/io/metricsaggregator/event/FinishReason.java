package io.metricsaggregator.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Why a sample's output ended. Any other text, the empty one included, is {@link #OTHER}. */
public enum FinishReason {
    STOP("stop"),
    LENGTH("length"),
    TOOL_CALLS("tool_calls"),
    CONTENT_FILTER("content_filter"),
    FUNCTION_CALL("function_call"),
    OTHER("other");

    private static final FinishReason[] NAMED = {STOP, LENGTH, TOOL_CALLS, CONTENT_FILTER, FUNCTION_CALL};

    private final String wireName;

    @SuppressWarnings("ImmutableEnumChecker") // never exposed
    private final byte[] bytes;

    FinishReason(String wireName) {
        this.wireName = wireName;
        this.bytes = wireName.getBytes(StandardCharsets.US_ASCII);
    }

    /** The name on the wire, and at the end of {@code tracked_finish_reason_…}. */
    public String wireName() {
        return wireName;
    }

    /** The reason that the text in a range names. Allocates nothing; the range must lie within the buffer. */
    public static FinishReason match(ByteBuffer buffer, int start, int length) {
        for (FinishReason candidate : NAMED) {
            if (candidate.bytes.length == length && candidate.equalsBytes(buffer, start)) {
                return candidate;
            }
        }
        return OTHER;
    }

    private boolean equalsBytes(ByteBuffer buffer, int start) {
        for (int i = 0; i < bytes.length; i++) {
            if (buffer.get(start + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
