package io.metricsaggregator.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which part of an answer a chunk belongs to: the optional key {@code part} of a receive. */
public enum ChunkPart {
    REASONING("reasoning"),
    OUTPUT("output"),
    TOOL_CALLS("tool_calls");

    private static final ChunkPart[] ALL = values();

    private final String wireName;

    @SuppressWarnings("ImmutableEnumChecker") // never handed out
    private final byte[] bytes;

    ChunkPart(String wireName) {
        this.wireName = wireName;
        this.bytes = wireName.getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of the key. */
    public String wireName() {
        return wireName;
    }

    /** The part with that code in frames of chunks, its ordinal plus 1; null for another number. */
    static @Nullable ChunkPart ofCode(int code) {
        return code > 0 && code <= ALL.length ? ALL[code - 1] : null;
    }

    /** The part of that name; null for another string. Allocates nothing. */
    static @Nullable ChunkPart match(ByteBuffer buffer, int start, int length) {
        for (ChunkPart each : ALL) {
            if (each.bytes.length == length && each.isAt(buffer, start)) {
                return each;
            }
        }
        return null;
    }

    private boolean isAt(ByteBuffer buffer, int start) {
        for (int i = 0; i < bytes.length; i++) {
            if (buffer.get(start + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
