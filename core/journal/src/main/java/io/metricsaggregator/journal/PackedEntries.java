package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Entries on their way to the file of a packed segment: bursts and frames are packed, others are written as they are. One for each segment; belongs to the
 * thread that writes it, except for {@link #bytes}.
 */
final class PackedEntries {
    private static final int ENTRY_BYTES = Entries.HEAD_BYTES + 1;
    /** Bytes up to which an entry that is not packed is written with its head in one call. */
    private static final int SMALL_BYTES = 1 << 13;

    private final FileChannel file;
    /** In place of {@link #file}, with direct I/O. */
    private final @Nullable PagedFile paged;
    /** Texts are deflated while that takes no more than one in so many nanoseconds since the segment was opened. */
    private final int deflateShare;

    private final FramePacker packer = new FramePacker();
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer head = ByteBuffer.allocate(ENTRY_BYTES);
    private final long openedNanos = System.nanoTime();
    private long deflateNanos;
    private boolean hurried;
    private ByteBuffer out = ByteBuffer.allocateDirect(2 * SMALL_BYTES);
    /** The start of an entry whose rest is in the next piece. */
    private ByteBuffer carry = ByteBuffer.allocate(1 << 10);
    /** Bytes left of an entry that is written as it is. */
    private long plainLeft;
    /** Sequence number of the first entry that is packed and not yet written. */
    private long firstSequence;

    private volatile long bytes;

    /**
     * Packs for an empty file.
     *
     * @param pages for {@link PagedFile} if the file is opened for direct I/O; null if it is not
     * @param deflateShare the time spent on deflating is one part of so many
     */
    PackedEntries(FileChannel file, @Nullable ByteBuffer pages, int deflateShare) {
        this.file = file;
        paged = pages == null ? null : new PagedFile(file, pages);
        this.deflateShare = deflateShare;
    }

    /** Says whether entries come faster than they are packed: then texts are not deflated. */
    void hurry(boolean hurries) {
        hurried = hurries;
    }

    /** Whether an entry is packed; others need their checksum. */
    static boolean packs(byte kind, int length) {
        return kind == Entries.BURST || (kind == Entries.FRAME && length <= 1 + FramePacker.FRAME_MAX_BYTES);
    }

    /** Bytes written. Any thread. */
    long bytes() {
        return bytes;
    }

    /** Whether all entries are written. */
    boolean isFlushed() {
        return packer.entries() == 0;
    }

    /**
     * Takes the next bytes of a row of entries, which may end within one.
     *
     * @param piece consumed
     * @throws IOException if entries cannot be written
     */
    void take(ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            if (plainLeft > 0) {
                ByteBuffer part = piece.slice(piece.position(), (int) Math.min(plainLeft, piece.remaining()));
                piece.position(piece.position() + part.remaining());
                plainLeft -= part.remaining();
                write(part);
            } else if (carry.position() > 0 || needed(piece, piece.position(), piece.limit()) > piece.remaining()) {
                carry(piece);
            } else {
                entry(piece);
            }
        }
    }

    /** Bytes from the start of an entry on that are needed to do something with it. */
    private static int needed(ByteBuffer from, int start, int end) {
        if (end - start < ENTRY_BYTES) {
            return ENTRY_BYTES;
        }
        int length = from.getInt(start);
        return packs(from.get(start + Entries.HEAD_BYTES), length) ? Entries.HEAD_BYTES + length : ENTRY_BYTES;
    }

    private void carry(ByteBuffer piece) throws IOException {
        int needed = needed(carry, 0, carry.position());
        if (carry.capacity() < needed) {
            carry = ByteBuffer.allocate(Math.max(needed, 2 * carry.capacity())).put(carry.flip());
        }
        int count = Math.min(needed - carry.position(), piece.remaining());
        carry.put(piece.slice(piece.position(), count));
        piece.position(piece.position() + count);
        if (carry.position() == needed(carry, 0, carry.position())) {
            entry(carry.flip());
            carry.clear();
        }
    }

    private void entry(ByteBuffer from) throws IOException {
        int length = from.getInt();
        int checksum = from.getInt();
        long sequence = from.getLong();
        byte kind = from.get();
        if (packs(kind, length)) {
            int limit = from.limit();
            pack(sequence, kind, from.limit(from.position() + length - 1));
            from.limit(limit);
        } else {
            finish();
            head(length, checksum, sequence, kind);
            plainLeft = length - 1L;
        }
    }

    /**
     * Takes an entry as a whole.
     *
     * @param checksum of an entry that is not packed
     * @param rest the payload behind the kind; consumed
     * @throws IOException if entries cannot be written
     */
    void append(int length, int checksum, long sequence, byte kind, ByteBuffer rest) throws IOException {
        if (packs(kind, length)) {
            pack(sequence, kind, rest);
            return;
        }
        finish();
        if (rest.remaining() > SMALL_BYTES) {
            head(length, checksum, sequence, kind);
            write(rest);
        } else {
            out.clear()
                    .putInt(length)
                    .putInt(checksum)
                    .putLong(sequence)
                    .put(kind)
                    .put(rest);
            write(out.flip());
        }
    }

    private void pack(long sequence, byte kind, ByteBuffer rest) throws IOException {
        if (packer.entries() == 0) {
            firstSequence = sequence;
        }
        if (kind == Entries.BURST) {
            packer.burst(rest.getLong());
        } else {
            packer.frame(rest);
        }
        if (packer.isFull()) {
            finish();
        }
    }

    /**
     * Writes all entries taken as a whole.
     *
     * @throws IOException if they cannot be written
     */
    void flush() throws IOException {
        finish();
        if (paged != null) {
            paged.flush();
        }
    }

    private void finish() throws IOException {
        if (packer.entries() == 0) {
            return;
        }
        int most = ENTRY_BYTES + packer.finishedMaxBytes();
        if (out.capacity() < most) {
            out = ByteBuffer.allocateDirect(Math.max(most, 2 * out.capacity()));
        }
        long start = System.nanoTime();
        boolean deflates = !hurried && deflateNanos <= (start - openedNanos) / deflateShare;
        packer.finish(out.clear().position(ENTRY_BYTES), deflates);
        deflateNanos += deflates ? System.nanoTime() - start : 0;
        int length = out.position() - Entries.HEAD_BYTES;
        int checksum = Entries.checksum(crc, length, firstSequence, Entries.PACKED, out.slice(ENTRY_BYTES, length - 1));
        out.flip().putInt(length).putInt(checksum).putLong(firstSequence).put(Entries.PACKED);
        write(out.rewind());
    }

    private void head(int length, int checksum, long sequence, byte kind) throws IOException {
        head.clear().putInt(length).putInt(checksum).putLong(sequence).put(kind);
        write(head.flip());
    }

    private void write(ByteBuffer content) throws IOException {
        long end = bytes + content.remaining();
        if (paged != null) {
            paged.put(content);
        }
        while (content.hasRemaining()) {
            file.write(content);
        }
        bytes = end;
    }

    /** Frees the memory outside the heap. Nothing is taken afterwards. */
    void end() {
        packer.end();
    }
}
