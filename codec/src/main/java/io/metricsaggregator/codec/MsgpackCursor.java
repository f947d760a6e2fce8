package io.metricsaggregator.codec;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads msgpack from untrusted bytes: bounds-checked, depth-limited, without allocating and without throwing. Every reading
 * method returns whether it succeeded; the value is then in a field of the cursor. After a failure {@link #fault()} has the reason,
 * and the position is undefined. A declared length or count beyond the input is a fault.
 *
 * <p>One owner at a time; reused through {@link #reset}.
 */
public final class MsgpackCursor {

    /**
     * Containers may be nested this deep. The reference's decoder stops near Python's recursion limit of 1000; real records
     * (chat messages with JSON schemas) stay below 40.
     */
    public static final int MAX_DEPTH = 128;

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    /** Bytes of an integer by its first one; 0 where another value begins. */
    private static final byte[] INTEGER_BYTES = new byte[256];

    static {
        for (int i = 0; i < INTEGER_BYTES.length; i++) {
            int width = integerWidth(i);
            INTEGER_BYTES[i] = (byte) (width > 0 || i <= 0x7f || i >= 0xe0 ? 1 + width : 0);
        }
    }

    private final long[] pendingPerLevel = new long[MAX_DEPTH];

    private ByteBuffer buffer = EMPTY;
    private int position;
    private int end;
    private @Nullable MsgpackFault fault;

    private long integer;
    private boolean integerExceedsLong;
    private int start;
    private int length;
    private int count;

    /** Starts reading at {@code offset}. The buffer must be big-endian and hold the range; its own position is not used. */
    public MsgpackCursor reset(ByteBuffer bytes, int offset, int size) {
        buffer = bytes;
        position = offset;
        end = offset + size;
        fault = null;
        return this;
    }

    /** The place of the next value in the buffer. */
    public int position() {
        return position;
    }

    /** Moves to another place within the range given to {@link #reset}. */
    public void position(int newPosition) {
        position = newPosition;
    }

    /** The number of bytes left to read. */
    public int remaining() {
        return end - position;
    }

    /** Why the last failed call failed; null if none has. */
    public @Nullable MsgpackFault fault() {
        return fault;
    }

    /** The buffer being read. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** The integer last read; for one above 2^63 − 1 its two's complement bits. */
    public long integer() {
        return integer;
    }

    /** Whether the integer last read is above 2^63 − 1. */
    public boolean integerExceedsLong() {
        return integerExceedsLong;
    }

    /** Where the content of the string, binary or extension last read starts. */
    public int start() {
        return start;
    }

    /** The length in bytes of the string, binary or extension last read. */
    public int length() {
        return length;
    }

    /** Number of elements, or of key-value pairs, of the array or map last read; at most the bytes that are left. */
    public int count() {
        return count;
    }

    /** The type of the next value; null, with a fault, at the end of the input or on the reserved byte. */
    public @Nullable MsgpackType peek() {
        if (position >= end) {
            fault = MsgpackFault.TRUNCATED;
            return null;
        }
        MsgpackType type = MsgpackType.ofFirstByte(buffer.get(position));
        if (type == null) {
            fault = MsgpackFault.RESERVED_BYTE;
        }
        return type;
    }

    /** Whether the next value is nil; consumes nothing and sets no fault. */
    public boolean atNil() {
        return position < end && buffer.get(position) == (byte) 0xc0;
    }

    /** Consumes a nil that {@link #atNil} saw. */
    public void skipNil() {
        position++;
    }

    /** Reads an integer of any width, signed or unsigned. A float is not an integer. */
    public boolean readInteger() {
        if (position >= end) {
            return fail(MsgpackFault.TRUNCATED);
        }
        int b = buffer.get(position);
        if (b >= -32) {
            integer = b;
            integerExceedsLong = false;
            position++;
            return true;
        }
        int width = integerWidth(b & 0xff);
        if (width == 0) {
            return fail(wrongType());
        }
        if (end - position <= width) {
            return fail(MsgpackFault.TRUNCATED);
        }
        int at = position + 1;
        switch (b & 0xff) {
            case 0xcc -> integer = buffer.get(at) & 0xff;
            case 0xcd -> integer = buffer.getShort(at) & 0xffff;
            case 0xce -> integer = buffer.getInt(at) & 0xffffffffL;
            case 0xd0 -> integer = buffer.get(at);
            case 0xd1 -> integer = buffer.getShort(at);
            case 0xd2 -> integer = buffer.getInt(at);
            default -> integer = buffer.getLong(at);
        }
        integerExceedsLong = (b & 0xff) == 0xcf && integer < 0;
        position = at + width;
        return true;
    }

    /** Steps over integers as {@link #readInteger} reads them, {@code number} of them, without a branch that depends on their widths. */
    public boolean skipIntegers(int number) {
        int at = position;
        for (int left = number; left > 0; left--) {
            if (at >= end) {
                return fail(MsgpackFault.TRUNCATED);
            }
            int size = INTEGER_BYTES[buffer.get(at) & 0xff];
            if (size == 0) {
                position = at;
                return fail(wrongType());
            }
            at += size;
        }
        position = at;
        return at <= end || fail(MsgpackFault.TRUNCATED);
    }

    private static int integerWidth(int b) {
        return b >= 0xcc && b <= 0xcf ? 1 << (b - 0xcc) : b >= 0xd0 && b <= 0xd3 ? 1 << (b - 0xd0) : 0;
    }

    /** Reads an integer that fits a signed 64-bit one. */
    public boolean readLong() {
        if (!readInteger()) {
            return false;
        }
        return !integerExceedsLong || fail(MsgpackFault.INTEGER_OUT_OF_RANGE);
    }

    /** Reads a string's header and steps over its content, without checking the content. */
    public boolean readString() {
        if (position >= end) {
            return fail(MsgpackFault.TRUNCATED);
        }
        int b = buffer.get(position) & 0xff;
        if ((b & 0xe0) == 0xa0) {
            return takeContent(1, b & 0x1f);
        }
        return switch (b) {
            case 0xd9 -> lengthFits(1) && takeContent(2, buffer.get(position + 1) & 0xff);
            case 0xda -> lengthFits(2) && takeContent(3, buffer.getShort(position + 1) & 0xffff);
            case 0xdb -> lengthFits(4) && takeContent(5, buffer.getInt(position + 1) & 0xffffffffL);
            default -> fail(wrongType());
        };
    }

    /** Reads a string and checks that it is valid UTF-8. */
    public boolean readText() {
        if (!readString()) {
            return false;
        }
        return Utf8.isValid(buffer, start, length) || fail(MsgpackFault.INVALID_UTF8);
    }

    /** Reads a binary's header and steps over its content. */
    public boolean readBinary() {
        if (position >= end) {
            return fail(MsgpackFault.TRUNCATED);
        }
        return switch (buffer.get(position) & 0xff) {
            case 0xc4 -> lengthFits(1) && takeContent(2, buffer.get(position + 1) & 0xff);
            case 0xc5 -> lengthFits(2) && takeContent(3, buffer.getShort(position + 1) & 0xffff);
            case 0xc6 -> lengthFits(4) && takeContent(5, buffer.getInt(position + 1) & 0xffffffffL);
            default -> fail(wrongType());
        };
    }

    /** Reads an array's header; {@link #count} elements follow. */
    public boolean readArrayHeader() {
        if (position >= end) {
            return fail(MsgpackFault.TRUNCATED);
        }
        int b = buffer.get(position) & 0xff;
        if ((b & 0xf0) == 0x90) {
            return takeCount(1, b & 0x0f, 1);
        }
        return switch (b) {
            case 0xdc -> lengthFits(2) && takeCount(3, buffer.getShort(position + 1) & 0xffff, 1);
            case 0xdd -> lengthFits(4) && takeCount(5, buffer.getInt(position + 1) & 0xffffffffL, 1);
            default -> fail(wrongType());
        };
    }

    /** Reads a map's header; {@link #count} key-value pairs follow. */
    public boolean readMapHeader() {
        if (position >= end) {
            return fail(MsgpackFault.TRUNCATED);
        }
        int b = buffer.get(position) & 0xff;
        if ((b & 0xf0) == 0x80) {
            return takeCount(1, b & 0x0f, 2);
        }
        return switch (b) {
            case 0xde -> lengthFits(2) && takeCount(3, buffer.getShort(position + 1) & 0xffff, 2);
            case 0xdf -> lengthFits(4) && takeCount(5, buffer.getInt(position + 1) & 0xffffffffL, 2);
            default -> fail(wrongType());
        };
    }

    /** Steps over one value of any kind, containers with all they hold. Iterative: the stack does not grow with the nesting. */
    public boolean skip() {
        return skip(0);
    }

    /**
     * The position behind the value at the cursor, which stays before it: a value that is rejected half read can then be left. −1 if the value is not
     * well-formed.
     *
     * @param depth as for {@link #skip(int)}
     */
    public int endOfValue(int depth) {
        int start = position;
        if (!skip(depth)) {
            return -1;
        }
        int end = position;
        position = start;
        return end;
    }

    /**
     * As {@link #skip()}, for a value that already lies {@code depth} containers deep.
     *
     * @param depth from 0 to {@link #MAX_DEPTH}
     */
    public boolean skip(int depth) {
        int level = depth - 1;
        do {
            if (level >= depth) {
                pendingPerLevel[level]--;
            }
            long children = skipOne();
            if (children < 0) {
                return false;
            }
            if (children > 0) {
                level++;
                if (level >= MAX_DEPTH) {
                    return fail(MsgpackFault.TOO_DEEP);
                }
                pendingPerLevel[level] = children;
            }
            while (level >= depth && pendingPerLevel[level] == 0) {
                level--;
            }
        } while (level >= depth);
        return true;
    }

    /** Steps over a scalar, or over a container's header; returns the number of values inside, or −1 on a fault. */
    private long skipOne() {
        MsgpackType type = peek();
        if (type == null) {
            return -1;
        }
        return switch (type) {
            case NIL, BOOLEAN -> {
                position++;
                yield 0;
            }
            case INTEGER -> readInteger() ? 0 : -1;
            case FLOAT -> takeContent(1, buffer.get(position) == (byte) 0xca ? 4 : 8) ? 0 : -1;
            case STRING -> readString() ? 0 : -1;
            case BINARY -> readBinary() ? 0 : -1;
            case ARRAY -> readArrayHeader() ? count : -1;
            case MAP -> readMapHeader() ? 2L * count : -1;
            case EXTENSION -> skipExtension() ? 0 : -1;
        };
    }

    private boolean skipExtension() {
        int b = buffer.get(position) & 0xff;
        return switch (b) {
            case 0xc7 -> lengthFits(1) && takeContent(3, buffer.get(position + 1) & 0xff);
            case 0xc8 -> lengthFits(2) && takeContent(4, buffer.getShort(position + 1) & 0xffff);
            case 0xc9 -> lengthFits(4) && takeContent(6, buffer.getInt(position + 1) & 0xffffffffL);
            default -> takeContent(2, 1L << (b - 0xd4));
        };
    }

    /** The fault for a first byte of another type than requested. */
    private MsgpackFault wrongType() {
        return buffer.get(position) == (byte) 0xc1 ? MsgpackFault.RESERVED_BYTE : MsgpackFault.WRONG_TYPE;
    }

    private boolean lengthFits(int lengthBytes) {
        return end - position > lengthBytes || fail(MsgpackFault.TRUNCATED);
    }

    private boolean takeContent(int headerBytes, long size) {
        if (end - position - (long) headerBytes < size) {
            return fail(MsgpackFault.TRUNCATED);
        }
        start = position + headerBytes;
        length = (int) size;
        position = start + length;
        return true;
    }

    private boolean takeCount(int headerBytes, long elements, int valuesPerElement) {
        if ((end - position - headerBytes) / valuesPerElement < elements) {
            return fail(MsgpackFault.TRUNCATED);
        }
        count = (int) elements;
        position += headerBytes;
        return true;
    }

    private boolean fail(MsgpackFault why) {
        fault = why;
        return false;
    }
}
