package io.metricsaggregator.codec;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes msgpack into memory, each value in its shortest form, within a limit. The header of a map may be written after its entries. Can be emptied and
 * used again. One owner at a time.
 */
public final class MsgpackOutput {
    private static final int FIRST_BYTES = 1 << 12;
    /** The longest array that every JVM can have. */
    private static final int LARGEST = Integer.MAX_VALUE - 8;
    /** Characters of a text whose length is in the first byte. */
    private static final int SHORT_TEXT = 31;
    /** A header with a length or a number behind it. */
    private static final int HEADER_MAX = 9;

    private byte[] bytes = new byte[0];
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private int size;
    private int max = Integer.MAX_VALUE;

    /** Thrown when a value would exceed the limit. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full(int max) {
            super("more than " + max + " bytes", null, false, false);
        }
    }

    /** Empties the output and sets its limit in bytes; its memory is kept. */
    public void reset(int newMax) {
        size = 0;
        max = newMax;
    }

    /** Number of bytes written since the output was empty. */
    public int size() {
        return size;
    }

    /** A copy of the bytes written so far. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void require(int more) {
        if (more > bytes.length - size) {
            grow(more);
        }
    }

    /** Makes room for the largest form of a value; {@link #check} refuses what is over the limit. */
    private void grow(int more) {
        long needed = (long) size + more;
        if (needed > LARGEST) {
            throw new Full(max);
        }
        long wanted = Math.max(Math.max(FIRST_BYTES, Math.min(2L * bytes.length, max)), needed);
        bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, LARGEST));
        buffer = ByteBuffer.wrap(bytes);
    }

    private void check() {
        if (size > max) {
            throw new Full(max);
        }
    }

    /** Copies bytes as they are. */
    public void raw(byte[] from, int offset, int length) {
        if (length > max - size) {
            throw new Full(max);
        }
        require(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    /** Writes nil. */
    public void nil() {
        oneByte(0xc0);
    }

    /** Writes true or false. */
    public void flag(boolean value) {
        oneByte(value ? 0xc3 : 0xc2);
    }

    private void oneByte(int value) {
        require(1);
        bytes[size++] = (byte) value;
        check();
    }

    /** Writes an integer. */
    public void integer(long value) {
        require(HEADER_MAX);
        if (value >= 0) {
            if (value < 1 << 7) {
                bytes[size++] = (byte) value;
            } else if (value < 1 << 8) {
                sized(0xcc, 1, value);
            } else if (value < 1 << 16) {
                sized(0xcd, 2, value);
            } else if (value < 1L << 32) {
                sized(0xce, 4, value);
            } else {
                sized(0xcf, 8, value);
            }
        } else if (value >= -(1 << 5)) {
            bytes[size++] = (byte) value;
        } else if (value >= -(1 << 7)) {
            sized(0xd0, 1, value);
        } else if (value >= -(1 << 15)) {
            sized(0xd1, 2, value);
        } else if (value >= -(1L << 31)) {
            sized(0xd2, 4, value);
        } else {
            sized(0xd3, 8, value);
        }
        check();
    }

    /** Writes a first byte and the low bytes of a value. The room is there. */
    private void sized(int first, int width, long value) {
        int at = size + 1;
        bytes[size] = (byte) first;
        switch (width) {
            case 1 -> bytes[at] = (byte) value;
            case 2 -> buffer.putShort(at, (short) value);
            case 4 -> buffer.putInt(at, (int) value);
            default -> buffer.putLong(at, value);
        }
        size = at + width;
    }

    /** Writes a float64. */
    public void real(double value) {
        require(HEADER_MAX);
        bytes[size] = (byte) 0xcb;
        buffer.putDouble(size + 1, value);
        size += HEADER_MAX;
        check();
    }

    /**
     * Writes an integer from −2^63 to 2^64 − 1.
     *
     * @throws IllegalArgumentException for another one
     */
    public void integer(BigInteger value) {
        if (value.bitLength() <= 63) {
            integer(value.longValue());
        } else if (value.bitLength() == 64 && value.signum() > 0) {
            require(HEADER_MAX);
            sized(0xcf, 8, value.longValue());
            check();
        } else {
            throw new IllegalArgumentException("no msgpack form for an integer of " + value.bitLength() + " bits");
        }
    }

    /** Writes a text. */
    public void text(String text) {
        if (text.length() > SHORT_TEXT || !shortAscii(text)) {
            anyText(text);
        }
    }

    /** Writes a short text of ASCII characters; one that has another writes nothing. */
    private boolean shortAscii(String text) {
        int length = text.length();
        require(1 + length);
        int at = size + 1;
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character > 0x7f) {
                return false;
            }
            bytes[at + i] = (byte) character;
        }
        bytes[size] = (byte) (0xa0 | length);
        size = at + length;
        check();
        return true;
    }

    private void anyText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        require(HEADER_MAX);
        length(0xa0, 31, 0xd9, utf8.length);
        raw(utf8, 0, utf8.length);
    }

    /** Writes a text of ASCII characters, as keys of records are. */
    @SuppressWarnings(
            "deprecation") // String.getBytes(int, …) copies the low byte of each character, which is an ASCII character
    // as it is.
    public void ascii(String text) {
        int length = text.length();
        require(HEADER_MAX + length);
        length(0xa0, 31, 0xd9, length);
        text.getBytes(0, length, bytes, size);
        size += length;
        check();
    }

    /** Writes a binary. */
    public void binary(byte[] content) {
        require(HEADER_MAX);
        length(0, -1, 0xc4, content.length);
        raw(content, 0, content.length);
    }

    /** Writes the header of an array. */
    public void arrayHeader(int elements) {
        require(HEADER_MAX);
        count(0x90, 0xdc, elements);
        check();
    }

    /** Writes the header of a map. */
    public void mapHeader(int entries) {
        require(HEADER_MAX);
        count(0x80, 0xde, entries);
        check();
    }

    /** Starts a map whose number of entries is not known yet; returns its place for {@link #endMap}. */
    public int startMap() {
        oneByte(0x80);
        return size - 1;
    }

    /** Writes the header of the map that starts at {@code place}, and whose entries are the last that was written. */
    public void endMap(int place, int entries) {
        if (entries < 16) {
            bytes[place] = (byte) (0x80 | entries);
            return;
        }
        int more = entries < 1 << 16 ? 2 : 4;
        require(more);
        System.arraycopy(bytes, place + 1, bytes, place + 1 + more, size - place - 1);
        int end = size + more;
        size = place;
        count(0x80, 0xde, entries);
        size = end;
        check();
    }

    /** Length of a string or binary: in the first byte up to {@code small}, else after {@code first} in 1, or after its successors in 2 or 4 bytes. */
    private void length(int fixed, int small, int first, int length) {
        if (length <= small) {
            bytes[size++] = (byte) (fixed | length);
        } else if (length < 1 << 8) {
            sized(first, 1, length);
        } else if (length < 1 << 16) {
            sized(first + 1, 2, length);
        } else {
            sized(first + 2, 4, length);
        }
    }

    /** Number of elements or entries: in the first byte up to 15, else after {@code first} in 2, or after its successor in 4 bytes. */
    private void count(int fixed, int first, int count) {
        if (count < 16) {
            bytes[size++] = (byte) (fixed | count);
        } else if (count < 1 << 16) {
            sized(first, 2, count);
        } else {
            sized(first + 1, 4, count);
        }
    }

    /**
     * Writes a value as {@link MsgpackTree#read} returns it.
     *
     * @throws IllegalArgumentException for a value of another class
     */
    public void tree(@Nullable Object value) {
        if (value == null) {
            nil();
        } else if (value instanceof String text) {
            text(text);
        } else if (value instanceof Long || value instanceof Integer) {
            integer(((Number) value).longValue());
        } else if (value instanceof BigInteger big) {
            integer(big);
        } else if (value instanceof Double number) {
            real(number);
        } else if (value instanceof Boolean flag) {
            flag(flag);
        } else if (value instanceof byte[] content) {
            binary(content);
        } else if (value instanceof List<?> list) {
            arrayHeader(list.size());
            for (Object each : list) {
                tree(each);
            }
        } else if (value instanceof Map<?, ?> map) {
            mapHeader(map.size());
            for (Map.Entry<?, ?> each : map.entrySet()) {
                tree(each.getKey());
                tree(each.getValue());
            }
        } else if (value instanceof MsgpackTree.Extension extension) {
            extension(extension);
        } else {
            throw new IllegalArgumentException("no msgpack form for " + value.getClass());
        }
    }

    private void extension(MsgpackTree.Extension extension) {
        int length = extension.content().length;
        require(HEADER_MAX);
        if (length <= 16 && Integer.bitCount(length) == 1) {
            bytes[size++] = (byte) (0xd4 + Integer.numberOfTrailingZeros(length));
        } else {
            length(0, -1, 0xc7, length);
        }
        bytes[size++] = (byte) extension.type();
        raw(extension.content(), 0, length);
    }
}
