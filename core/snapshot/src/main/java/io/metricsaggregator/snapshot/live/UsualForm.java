package io.metricsaggregator.snapshot.live;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads parts of a snapshot in the form in which this project's daemons write them: known keys in a known order. Every method returns whether the next
 * value has that form; after the first that has not, the part is left to the general decoder. The bytes are well-formed msgpack. One owner.
 */
final class UsualForm {
    private static final byte FALSE = (byte) 0xc2;
    private static final byte TRUE = (byte) 0xc3;
    private static final byte FLOAT64 = (byte) 0xcb;

    private final MsgpackCursor cursor = new MsgpackCursor();
    private byte[] bytes = {};
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private double real;

    /** Starts with a part of the bytes. */
    void start(SnapshotOutline outline, int from, int to) {
        bytes = outline.bytes();
        buffer = outline.buffer();
        cursor.reset(buffer, from, to - from);
    }

    /** Reads a map's header, and returns the number of its entries; −1 for another value. */
    int mapSize() {
        return cursor.readMapHeader() ? cursor.count() : -1;
    }

    /** Reads an array's header, and returns the number of its elements; −1 for another value. */
    int arraySize() {
        return cursor.readArrayHeader() ? cursor.count() : -1;
    }

    /** Reads exactly these bytes. */
    boolean exactly(byte[] expected) {
        int at = cursor.position();
        if (cursor.remaining() >= expected.length
                && Arrays.equals(bytes, at, at + expected.length, expected, 0, expected.length)) {
            cursor.position(at + expected.length);
            return true;
        }
        return false;
    }

    /** Reads a 64-bit integer. */
    boolean integer() {
        return cursor.readLong();
    }

    /** Reads a key and the integer that is its value. */
    boolean integer(byte[] key) {
        return exactly(key) && cursor.readLong();
    }

    /** The integer read last. */
    long number() {
        return cursor.integer();
    }

    /** Reads nil. */
    boolean nil() {
        if (cursor.atNil()) {
            cursor.skipNil();
            return true;
        }
        return false;
    }

    /** Reads a finite float64. */
    boolean real() {
        int at = cursor.position();
        if (cursor.remaining() < 9 || bytes[at] != FLOAT64) {
            return false;
        }
        real = buffer.getDouble(at + 1);
        cursor.position(at + 9);
        return Double.isFinite(real);
    }

    /** The float64 read last. */
    double realNumber() {
        return real;
    }

    /** Reads true or false. */
    boolean flag() {
        int at = cursor.position();
        if (cursor.remaining() > 0 && (bytes[at] == TRUE || bytes[at] == FALSE)) {
            cursor.position(at + 1);
            return true;
        }
        return false;
    }

    /** Reads a number as {@link SeriesMetric} has it: 64-bit integer or finite float64; null for another value. */
    @Nullable
    Number numeric() {
        if (cursor.remaining() > 0 && bytes[cursor.position()] == FLOAT64) {
            return real() ? (Number) real : null;
        }
        return cursor.readLong() ? (Number) cursor.integer() : null;
    }

    /** Reads a string; {@link #cursor} then has its place. */
    boolean string() {
        return cursor.readString();
    }

    /** Reads a binary; {@link #cursor} then has its place. */
    boolean binary() {
        return cursor.readBinary();
    }

    /** Steps over one value of any kind. */
    boolean skip() {
        return cursor.skip();
    }

    /** Whether the part is read to its end. */
    boolean atEnd() {
        return cursor.remaining() == 0;
    }

    /** The bytes that are read. */
    byte[] bytes() {
        return bytes;
    }

    /** The place of the next value, and of the string or binary read last. */
    MsgpackCursor cursor() {
        return cursor;
    }
}
