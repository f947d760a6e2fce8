package io.metricsaggregator.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Writes to a {@link Disk.File} through a buffer of 64 KiB, and remembers the size and the CRC-32C of all bytes. */
final class CheckedStream extends OutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Disk.File file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C sum = new CRC32C();
    private long size;

    CheckedStream(Disk.File file) {
        this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        while (from < offset + length) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int count = Math.min(buffer.remaining(), offset + length - from);
            buffer.put(bytes, from, count);
            from += count;
        }
    }

    /** Writes the buffered bytes to the file. */
    @Override
    public void flush() throws IOException {
        buffer.flip();
        sum.update(buffer.duplicate());
        size += buffer.remaining();
        while (buffer.hasRemaining()) {
            if (file.write(buffer) <= 0) {
                throw new IOException("the file takes no more");
            }
        }
        buffer.clear();
    }

    /** Bytes written, up to the last {@link #flush}. */
    long size() {
        return size;
    }

    /** Whether a stream holds exactly the bytes that were written; reads it to its end, 64 KiB at a time. */
    boolean isWhatWasWritten(InputStream from) throws IOException {
        CRC32C read = new CRC32C();
        byte[] piece = new byte[BUFFER_BYTES];
        long bytes = 0;
        for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
            read.update(piece, 0, count);
            bytes += count;
        }
        return bytes == size && read.getValue() == sum.getValue();
    }
}
