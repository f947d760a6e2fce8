package io.metricsaggregator.parts;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Cuts the content of a part into chunks: the length (32 bits, at most {@value #CHUNK_MAX}), the CRC-32C of the chunk's number and bytes, and the bytes. A
 * chunk of length 0 ends the part. Not thread-safe; closing it leaves the underlying stream open.
 */
final class PartOutputStream extends OutputStream {
    static final int CHUNK_MAX = 64 << 10;

    private final DataOutputStream to;
    private final byte[] chunk = new byte[CHUNK_MAX];
    private int filled;
    private int number;

    PartOutputStream(OutputStream to) {
        this.to = new DataOutputStream(to);
    }

    /** The checksum of a chunk. */
    static int checksum(int number, byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(number >>> 24);
        crc.update(number >>> 16);
        crc.update(number >>> 8);
        crc.update(number);
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    @Override
    public void write(int value) throws IOException {
        if (filled == CHUNK_MAX) {
            writeChunk();
        }
        chunk[filled++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int left = length;
        while (left > 0) {
            if (filled == CHUNK_MAX) {
                writeChunk();
            }
            int size = Math.min(left, CHUNK_MAX - filled);
            System.arraycopy(bytes, at, chunk, filled, size);
            filled += size;
            at += size;
            left -= size;
        }
    }

    private void writeChunk() throws IOException {
        to.writeInt(filled);
        to.writeInt(checksum(number++, chunk, filled));
        to.write(chunk, 0, filled);
        filled = 0;
    }

    /** Writes the rest and the end. */
    @Override
    public void close() throws IOException {
        if (filled > 0) {
            writeChunk();
        }
        writeChunk();
        to.flush();
    }
}
