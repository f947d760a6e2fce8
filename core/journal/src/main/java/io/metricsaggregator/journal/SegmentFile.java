package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A segment that is being written, from its first entry to its last. Belongs to the receiving thread. */
sealed interface SegmentFile extends SyncThread.Dirty permits BufferedSegment, DirectSegment, PackedSegment {
    /**
     * Appends an entry.
     *
     * @param rest the payload behind the kind; consumed
     * @throws IOException if it cannot be written, or what was appended before it
     */
    void append(long sequence, byte kind, ByteBuffer rest) throws IOException;

    /** Starts to write what was appended. */
    void endBurst() throws IOException;

    /** Waits until all that was appended survives this process. */
    void settle() throws IOException;

    /** Whether all that was appended survives this process. */
    boolean isSettled();

    /** Bytes of the file: those of the entries appended, or, while another thread packs them, of those written so far. */
    long bytes();

    /** Bytes of the entries appended, before they were packed. */
    long rawBytes();

    /** The file, for fdatasync and to be closed; not to be written by others. */
    @Override
    FileChannel channel();

    @Override
    default boolean isWritten() {
        // At the end of a burst, which is when the fsync is requested.
        return true;
    }

    /** Settles the segment, and cuts the file to its entries. Nothing is appended afterwards. */
    void finish() throws IOException;
}
