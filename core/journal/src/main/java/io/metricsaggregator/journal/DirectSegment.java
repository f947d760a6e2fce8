package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a fast stream: the receiving thread copies entries into a ring, and the thread {@code journal-writer} packs them, or adds the
 * checksums and writes the ring as it is. Direct I/O costs neither a copy nor a new page; while such a file is written, its last page is padded with zeros.
 */
final class DirectSegment implements SegmentFile {
    /** Deflating may take a quarter of the time of {@code journal-writer}. */
    private static final int DEFLATE_SHARE = 4;

    private final FileChannel file;
    private final BlockWriter blocks;
    private final @Nullable PackedEntries packed;
    private final CRC32C crc = new CRC32C();
    private long bytes;

    /**
     * An empty segment.
     *
     * @param file opened for direct I/O, unless it is packed through the page cache
     * @param blocks writes it; free
     * @param isPacked whether {@code blocks} packs it
     * @param isDirect whether the file is opened for direct I/O
     */
    DirectSegment(FileChannel file, BlockWriter blocks, boolean isPacked, boolean isDirect) {
        this.file = file;
        this.blocks = blocks;
        packed = isPacked ? new PackedEntries(file, isDirect ? blocks.pages() : null, DEFLATE_SHARE) : null;
        blocks.start(file, packed);
    }

    /** Whether its bursts and frames are packed. */
    boolean isPacked() {
        return packed != null;
    }

    @Override
    public void append(long sequence, byte kind, ByteBuffer rest) throws IOException {
        int length = 1 + rest.remaining();
        int checksum = 0;
        if (packed == null ? blocks.crosses(length) : !PackedEntries.packs(kind, length)) {
            int position = rest.position();
            checksum = Entries.checksum(crc, length, sequence, kind, rest);
            rest.position(position);
        }
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
    public boolean isWritten() {
        return blocks.isWritten();
    }

    @Override
    public long bytes() {
        return packed == null ? bytes : packed.bytes();
    }

    @Override
    public long rawBytes() {
        return bytes;
    }

    @Override
    public FileChannel channel() {
        return file;
    }

    @Override
    public void finish() throws IOException {
        blocks.settle();
        if (packed != null) {
            packed.end();
        }
        file.truncate(bytes());
    }
}
