package io.metricsaggregator.parts;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads what {@link PartOutputStream} wrote, and no byte beyond its end. A chunk is handed on only when its checksum is right. Not thread-safe. */
final class PartInputStream extends InputStream {
    private final DataInputStream from;
    private final byte[] chunk = new byte[PartOutputStream.CHUNK_MAX];
    private int length;
    private int at;
    private int number;
    private boolean ended;

    PartInputStream(InputStream from) {
        this.from = new DataInputStream(from);
    }

    private boolean fill() throws IOException {
        while (at == length && !ended) {
            int size;
            int checksum;
            try {
                size = from.readInt();
                checksum = from.readInt();
                if (size < 0 || size > chunk.length) {
                    throw new PartFormatException(
                            "chunk " + number + " has a length of " + size + " bytes: the part was altered");
                }
                from.readFully(chunk, 0, size);
            } catch (EOFException e) {
                throw new PartFormatException("the part ends within chunk " + number + ": it was cut short", e);
            }
            if (PartOutputStream.checksum(number, chunk, size) != checksum) {
                throw new PartFormatException("the checksum of chunk " + number + " is wrong: the part was altered");
            }
            number++;
            length = size;
            at = 0;
            ended = size == 0;
        }
        return !ended;
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int start, int size) throws IOException {
        if (size == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int taken = Math.min(size, length - at);
        System.arraycopy(chunk, at, into, start, taken);
        at += taken;
        return taken;
    }

    /**
     * Checks that all content was read.
     *
     * @throws PartFormatException if there is more
     */
    void requireEnd() throws IOException {
        if (fill()) {
            throw new PartFormatException("the part has content behind its end");
        }
    }
}
