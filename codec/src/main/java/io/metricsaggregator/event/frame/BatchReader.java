package io.metricsaggregator.event.frame;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.ByteBuffer;

/**
 * Iterates over the records of a batch: a msgpack array of binaries, each of them one record. {@link #open} checks the whole batch before
 * the first record is read, since one malformed element invalidates the batch. One owner at a time.
 */
public final class BatchReader {
    /** Elements whose places the check remembers; the elements beyond are located a second time. */
    private static final int REMEMBERED = 4096;

    /**
     * Bytes read ahead of the walk. Each element is located through the one before it, so a walk over freshly received bytes would wait for
     * one cache miss after the other; reading all cache lines of a stretch first lets the processor overlap the misses.
     */
    private static final int LOOK_AHEAD_BYTES = 4096;

    private static final int CACHE_LINE_BYTES = 64;

    /** The first byte of a binary with a length of two bytes, as which records of 256 bytes to 64 KiB come, and by some encoders shorter ones. */
    private static final int BINARY_16 = 0xc5;

    /** The first byte of a binary with a length of one byte. */
    private static final int BINARY_8 = 0xc4;

    private final MsgpackCursor cursor = new MsgpackCursor();
    /** The remembered elements: start in the upper 32 bits, length in the lower. */
    private final long[] places = new long[REMEMBERED];

    /** Takes the bytes read ahead, so that the compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    private int elements;
    private int index;
    private int start;
    private int length;

    /**
     * Checks a batch and moves before its first element.
     *
     * @return the number of its elements, empty ones included; −1 if it is malformed
     */
    public int open(ByteBuffer buffer, int from, int size) {
        elements = 0;
        index = 0;
        MsgpackCursor in = cursor.reset(buffer, from, size);
        if (!in.readArrayHeader()) {
            return -1;
        }
        int count = in.count();
        int unremembered = 0;
        int end = from + size;
        int ahead = from;
        // The place is a local variable: a field would be written and read back for each element, and each element is
        // located through the one before.
        int at = in.position();
        for (int i = 0; i < count; i++) {
            if (at > ahead - LOOK_AHEAD_BYTES && ahead < end) {
                ahead = touch(buffer, ahead, end);
            }
            if (i == REMEMBERED) {
                unremembered = at;
            }
            int header = end - at >= Integer.BYTES ? buffer.getInt(at) : 0;
            int elementStart;
            int elementLength;
            if (header >>> 24 == BINARY_16) {
                elementStart = at + 3;
                elementLength = header >>> 8 & 0xffff;
            } else if (header >>> 24 == BINARY_8) {
                elementStart = at + 2;
                elementLength = header >>> 16 & 0xff;
            } else {
                in.position(at);
                if (!in.readBinary()) {
                    return -1;
                }
                elementStart = in.start();
                elementLength = in.length();
            }
            if (i < REMEMBERED) {
                places[i] = (long) elementStart << 32 | elementLength;
            }
            at = elementStart + elementLength;
        }
        // Behind an element that ends beyond the batch there is neither a next element nor the end.
        if (at != end) {
            return -1;
        }
        in.position(unremembered);
        elements = count;
        return count;
    }

    /** Reads each cache line of the next stretch; returns the end of the stretch. */
    private int touch(ByteBuffer buffer, int start, int end) {
        int stop = Math.min(start + LOOK_AHEAD_BYTES, end);
        int seen = 0;
        for (int at = start; at < stop; at += CACHE_LINE_BYTES) {
            seen ^= buffer.get(at);
        }
        touched = seen;
        return stop;
    }

    /** Moves to the next element; returns false after the last. */
    public boolean next() {
        if (index >= elements) {
            return false;
        }
        if (index < REMEMBERED) {
            long place = places[index];
            start = (int) (place >>> 32);
            length = (int) place;
        } else {
            // The check of open() found it well-formed.
            cursor.readBinary();
            start = cursor.start();
            length = cursor.length();
        }
        index++;
        return true;
    }

    /** The start of the current record in the buffer. */
    public int start() {
        return start;
    }

    /** The length of the current record in bytes; 0 for an empty element. */
    public int length() {
        return length;
    }
}
