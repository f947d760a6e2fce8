package io.metricsaggregator.journal;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the segments of one journal, one at a time, and keeps the memory that they share. Belongs to the receiving thread. */
final class SegmentFiles {
    private static final int STAGING_BYTES = 1 << 20;

    private final long syncNanos;
    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    /** Made for the first fast stream. */
    private @Nullable BlockWriter blocks;
    /** Whether the file system did not take direct I/O for a packed segment. */
    private boolean refused;

    /**
     * Creates none yet.
     *
     * @param syncNanos time between fsyncs; 0 or less if no time is kept
     */
    SegmentFiles(long syncNanos) {
        this.syncNanos = syncNanos;
    }

    /**
     * Creates a segment, readable by its owner alone.
     *
     * @param fast whether the thread {@code journal-writer} writes it, with direct I/O; through the page cache if it is packed and the file system does not
     *     take that
     * @param packed whether its frames are packed
     * @throws IOException if there is such a file, or it cannot be created
     * @throws UnsupportedOperationException if the file system does not take direct I/O
     */
    SegmentFile create(Path path, boolean fast, boolean packed) throws IOException {
        if (!fast) {
            FileChannel file = open(path, false);
            return packed ? new PackedSegment(file) : new BufferedSegment(file, staging);
        }
        BlockWriter writer = blocks;
        if (writer == null) {
            writer = new BlockWriter(syncNanos);
            blocks = writer;
        }
        boolean direct = !packed || !refused;
        try {
            return new DirectSegment(open(path, direct), writer, packed, direct);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            if (!packed || !direct) {
                throw e;
            }
            refused = true;
            return create(path, true, true);
        }
    }

    private static FileChannel open(Path path, boolean direct) throws IOException {
        Set<OpenOption> options = new HashSet<>(
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        try {
            return FileChannel.open(
                    path, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            if (direct) {
                // A file system that refuses direct I/O may have created the file.
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    /**
     * Makes a new segment's entry in its folder durable: without that, the file itself can be lost with the machine.
     *
     * @param later does it soon; null for at once
     * @throws IOException if the folder cannot be opened, or not be fsynced at once
     */
    static void syncFolder(Path directory, @Nullable SyncThread later) throws IOException {
        FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ);
        if (later != null) {
            later.folder(folder);
            return;
        }
        try (folder) {
            folder.force(true);
        }
    }

    /** Time in nanoseconds that the receiving thread waited for the latest segment with direct I/O. */
    long waitedNanos() {
        return blocks == null ? 0 : blocks.waitedNanos();
    }

    /** Ends the thread {@code journal-writer}, if there is one; the last segment must be finished, or have failed. */
    void end() {
        if (blocks != null) {
            blocks.end();
        }
    }
}
