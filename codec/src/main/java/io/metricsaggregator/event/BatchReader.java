package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.ByteBuffer;

/**
 * Steps through a batch: a msgpack array of binaries, each of them one record. The whole batch is checked before its first
 * record is handed out, since one bad element costs the batch as a whole. One owner at a time.
 */
public final class BatchReader {
    /** So many elements are remembered from the check; those of larger batches are looked for again. */
    private static final int REMEMBERED = 4096;

    /**
     * Elements are found one through the other, and what has just been received is seldom in a near cache: a walk that waits for
     * each of them would wait long. Looking at all lines of a stretch ahead, at once, is what a processor is good at.
     */
    private static final int LOOK_AHEAD_BYTES = 4096;

    private static final int CACHE_LINE_BYTES = 64;

    private final MsgpackCursor cursor = new MsgpackCursor();
    /** For each remembered element its start in the upper half, its length in the lower. */
    private final long[] places = new long[REMEMBERED];

    /** Where looks ahead leave what they saw, so that the compiler does not drop them. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    private int elements;
    private int index;
    private int start;
    private int length;

    /**
     * Checks a batch and goes to its start.
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
        for (int i = 0; i < count; i++) {
            if (in.position() > ahead - LOOK_AHEAD_BYTES && ahead < end) {
                ahead = touch(buffer, ahead, end);
            }
            if (i == REMEMBERED) {
                unremembered = in.position();
            }
            if (!in.readBinary()) {
                return -1;
            }
            if (i < REMEMBERED) {
                places[i] = (long) in.start() << 32 | in.length();
            }
        }
        if (in.remaining() > 0) {
            return -1;
        }
        in.position(unremembered);
        elements = count;
        return count;
    }

    /** Looks at each cache line of the next stretch; answers where that ends. */
    private int touch(ByteBuffer buffer, int start, int end) {
        int stop = Math.min(start + LOOK_AHEAD_BYTES, end);
        int seen = 0;
        for (int at = start; at < stop; at += CACHE_LINE_BYTES) {
            seen ^= buffer.get(at);
        }
        touched = seen;
        return stop;
    }

    /** Goes to the next element; false after the last. */
    public boolean next() {
        if (index >= elements) {
            return false;
        }
        if (index < REMEMBERED) {
            long place = places[index];
            start = (int) (place >>> 32);
            length = (int) place;
        } else {
            // It has been checked.
            boolean found = cursor.readBinary();
            start = cursor.start();
            length = found ? cursor.length() : 0;
        }
        index++;
        return true;
    }

    /** Where the current record starts. */
    public int start() {
        return start;
    }

    /** Its length in bytes; 0 for an empty element. */
    public int length() {
        return length;
    }
}
