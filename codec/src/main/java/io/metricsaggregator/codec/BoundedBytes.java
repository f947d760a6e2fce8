package io.metricsaggregator.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** An in-memory stream with a size limit: a write beyond it throws {@link Exceeded}. Can be emptied and used again. One owner at a time. */
public final class BoundedBytes extends OutputStream {
    private static final int FIRST_BYTES = 1 << 16;

    private byte[] bytes;
    private int size;
    private int max;

    /** Thrown when a write would exceed the limit of the stream. */
    public static final class Exceeded extends IOException {
        private static final long serialVersionUID = 1;

        Exceeded(int max) {
            super("more than " + max + " bytes");
        }
    }

    /**
     * Creates an empty stream.
     *
     * @param max the limit in bytes
     */
    public BoundedBytes(int max) {
        this.bytes = new byte[0];
        this.max = max;
    }

    /** Empties the stream and sets another limit; its memory is kept. */
    public void reset(int newMax) {
        size = 0;
        max = newMax;
    }

    @Override
    public void write(int value) throws Exceeded {
        require(1);
        bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws Exceeded {
        require(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    private void require(int length) throws Exceeded {
        if (length > max - size) {
            throw new Exceeded(max);
        }
        if (length > bytes.length - size) {
            long wanted = Math.max(Math.max(FIRST_BYTES, 2L * bytes.length), (long) size + length);
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, max));
        }
    }

    /** A copy of the bytes from {@code start} to the last one written. */
    public byte[] since(int start) {
        return Arrays.copyOfRange(bytes, start, size);
    }

    /** A copy of the bytes written so far. */
    public byte[] toByteArray() {
        return since(0);
    }
}
