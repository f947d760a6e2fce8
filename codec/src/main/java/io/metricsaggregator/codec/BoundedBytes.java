package io.metricsaggregator.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** An in-memory stream with a size limit: a write beyond it throws {@link Exceeded}. One owner at a time. */
public final class BoundedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes;
    private final int max;

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
        this.bytes = new ByteArrayOutputStream(Math.min(max, 1 << 16));
        this.max = max;
    }

    @Override
    public void write(int value) throws Exceeded {
        require(1);
        bytes.write(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws Exceeded {
        require(length);
        bytes.write(from, offset, length);
    }

    private void require(int length) throws Exceeded {
        if (length > max - bytes.size()) {
            throw new Exceeded(max);
        }
    }

    /** A copy of the bytes written so far. */
    public byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
