package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A segment beside the page cache: the receiving thread copies entries into a ring, and the thread {@code journal-writer} writes the ring with direct
 * I/O, which costs neither a copy nor a new page. While it is written, its last page is padded with zeros.
 */
final class DirectSegment implements SegmentFile {
    private final FileChannel file;
    private final BlockWriter blocks;
    private long bytes;

    /**
     * An empty segment.
     *
     * @param file opened for direct I/O
     * @param blocks writes it; free
     */
    DirectSegment(FileChannel file, BlockWriter blocks) {
        this.file = file;
        this.blocks = blocks;
        blocks.start(file);
    }

    @Override
    public void append(int length, int checksum, long sequence, byte kind, ByteBuffer rest) throws IOException {
        bytes += Entries.HEAD_BYTES + length;
        blocks.append(length, checksum, sequence, kind, rest);
    }

    @Override
    public void endBurst() throws IOException {
        blocks.publish();
    }

    @Override
    public void settle() throws IOException {
        blocks.settle();
    }

    @Override
    public boolean isSettled() {
        return blocks.isSettled();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public FileChannel channel() {
        return file;
    }

    @Override
    public void finish() throws IOException {
        blocks.settle();
        file.truncate(bytes);
    }
}
