package io.metricsaggregator.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream into memory that refuses more than a number of bytes. One owner at a time. */
public final class BoundedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes;
    private final int max;

    /** More was written than the stream takes. */
    public static final class Exceeded extends IOException {
        private static final long serialVersionUID = 1;

        Exceeded(int max) {
            super("more than " + max + " bytes");
        }
    }

    /**
     * An empty stream.
     *
     * @param max bytes it takes
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

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
