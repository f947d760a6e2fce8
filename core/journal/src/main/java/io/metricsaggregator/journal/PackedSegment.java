package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * A packed segment in the page cache, packed and written by the receiving thread itself: what a slow stream needs least of. To pack a burst costs about as
 * much as to write it unpacked.
 */
final class PackedSegment implements SegmentFile {
    /** Deflating may take a twentieth of the receiving thread's time. */
    private static final int DEFLATE_SHARE = 20;

    private final FileChannel file;
    private final PackedEntries entries;
    private final CRC32C crc = new CRC32C();
    private long rawBytes;

    PackedSegment(FileChannel file) {
        this.file = file;
        entries = new PackedEntries(file, null, DEFLATE_SHARE);
    }

    @Override
    public void append(long sequence, byte kind, ByteBuffer rest) throws IOException {
        int length = 1 + rest.remaining();
        rawBytes += Entries.HEAD_BYTES + length;
        int checksum =
                PackedEntries.packs(kind, length) ? 0 : Entries.checksum(crc, length, sequence, kind, rest.duplicate());
        entries.append(length, checksum, sequence, kind, rest);
    }

    @Override
    public void endBurst() throws IOException {
        entries.flush();
    }

    @Override
    public void settle() throws IOException {
        entries.flush();
    }

    @Override
    public boolean isSettled() {
        return entries.isFlushed();
    }

    @Override
    public long bytes() {
        return entries.bytes();
    }

    @Override
    public long rawBytes() {
        return rawBytes;
    }

    @Override
    public FileChannel channel() {
        return file;
    }

    @Override
    public void finish() throws IOException {
        entries.flush();
        entries.end();
    }
}
