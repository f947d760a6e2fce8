package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * A segment in the page cache, written by the receiving thread itself: cheap for small bursts, and a slow disk is felt only when the kernel holds back
 * writers. Each byte costs a copy and, in a new file, a new page.
 */
final class BufferedSegment implements SegmentFile {
    private final FileChannel file;
    private final ByteBuffer staging;
    private final CRC32C crc = new CRC32C();
    private long bytes;

    /**
     * An empty segment.
     *
     * @param staging collects a burst; direct, and larger than the head of an entry
     */
    BufferedSegment(FileChannel file, ByteBuffer staging) {
        this.file = file;
        this.staging = staging.clear();
    }

    @Override
    public void append(long sequence, byte kind, ByteBuffer rest) throws IOException {
        int length = 1 + rest.remaining();
        int position = rest.position();
        int checksum = Entries.checksum(crc, length, sequence, kind, rest);
        rest.position(position);
        if (staging.remaining() < Entries.HEAD_BYTES + 1) {
            endBurst();
        }
        staging.putInt(length).putInt(checksum).putLong(sequence).put(kind);
        if (rest.remaining() > staging.remaining()) {
            endBurst();
        }
        if (rest.remaining() > staging.remaining()) {
            writeFully(rest);
        } else {
            staging.put(rest);
        }
    }

    @Override
    public void endBurst() throws IOException {
        staging.flip();
        writeFully(staging);
        staging.clear();
    }

    private void writeFully(ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            bytes += file.write(content);
        }
    }

    @Override
    public void settle() throws IOException {
        endBurst();
    }

    @Override
    public boolean isSettled() {
        return staging.position() == 0;
    }

    @Override
    public long bytes() {
        return bytes + staging.position();
    }

    @Override
    public long rawBytes() {
        return bytes();
    }

    @Override
    public FileChannel channel() {
        return file;
    }

    @Override
    public void finish() throws IOException {
        endBurst();
    }
}
