package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.ByteBuffer;

/**
 * Steps through a batch: a msgpack array of binaries, each of them one record. The whole batch is checked before its first
 * record is handed out, since one bad element costs the batch as a whole. One owner at a time.
 */
public final class BatchReader {
    private final MsgpackCursor cursor = new MsgpackCursor();
    private int left;

    /**
     * Checks a batch and goes to its start.
     *
     * @return the number of its elements, empty ones included; −1 if it is malformed
     */
    public int open(ByteBuffer buffer, int start, int length) {
        left = 0;
        if (!cursor.reset(buffer, start, length).readArrayHeader()) {
            return -1;
        }
        int elements = cursor.count();
        int first = cursor.position();
        for (int i = 0; i < elements; i++) {
            if (!cursor.readBinary()) {
                return -1;
            }
        }
        if (cursor.remaining() > 0) {
            return -1;
        }
        cursor.position(first);
        left = elements;
        return elements;
    }

    /** Goes to the next element; false after the last. */
    public boolean next() {
        return left-- > 0 && cursor.readBinary();
    }

    /** Where the current record starts. */
    public int start() {
        return cursor.start();
    }

    /** Its length in bytes; 0 for an empty element. */
    public int length() {
        return cursor.length();
    }
}
