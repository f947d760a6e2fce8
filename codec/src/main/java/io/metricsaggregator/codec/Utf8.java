package io.metricsaggregator.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Checks and reads UTF-8 in a range of a buffer. */
public final class Utf8 {
    private static final long NON_ASCII = 0x8080808080808080L;

    private Utf8() {}

    /**
     * Whether a range is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). ASCII is checked
     * eight bytes at a time. The caller has checked that the range lies within the buffer.
     */
    public static boolean isValid(ByteBuffer buffer, int start, int length) {
        int position = start;
        int end = start + length;
        while (position + 32 <= end
                && ((buffer.getLong(position)
                                        | buffer.getLong(position + 8)
                                        | buffer.getLong(position + 16)
                                        | buffer.getLong(position + 24))
                                & NON_ASCII)
                        == 0) {
            position += 32;
        }
        while (position + 8 <= end && (buffer.getLong(position) & NON_ASCII) == 0) {
            position += 8;
        }
        if (position < end && position + 8 <= buffer.limit() && isAscii(buffer.getLong(position), end - position)) {
            return true;
        }
        while (position < end) {
            int lead = buffer.get(position);
            if (lead >= 0) {
                position++;
                continue;
            }
            int size = sequenceLength(buffer, position, end);
            if (size == 0) {
                return false;
            }
            position += size;
            while (position + 8 <= end && (buffer.getLong(position) & NON_ASCII) == 0) {
                position += 8;
            }
        }
        return true;
    }

    /** Whether the first {@code bytes} of the word, are ASCII; false for eight or more. */
    private static boolean isAscii(long word, int bytes) {
        return bytes < 8 && (word & NON_ASCII) >>> (Long.SIZE - Byte.SIZE * bytes) == 0;
    }

    /** Length of the multi-byte sequence at {@code position}, or 0 if there is no valid one. */
    private static int sequenceLength(ByteBuffer buffer, int position, int end) {
        int lead = buffer.get(position) & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return 0;
        }
        int size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (end - position < size) {
            return 0;
        }
        int second = buffer.get(position + 1) & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < size; i++) {
            if ((buffer.get(position + i) & 0xc0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    /** The text of a range; invalid UTF-8 becomes U+FFFD. Allocates. */
    public static String read(ByteBuffer buffer, int start, int length) {
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The longest prefix of at most {@code maxBytes} bytes of a valid range that does not cut a character in two.
     *
     * @return its length in bytes
     */
    public static int prefixLength(ByteBuffer buffer, int start, int length, int maxBytes) {
        if (length <= maxBytes) {
            return length;
        }
        int cut = maxBytes;
        while (cut > 0 && (buffer.get(start + cut) & 0xc0) == 0x80) {
            cut--;
        }
        return cut;
    }
}
