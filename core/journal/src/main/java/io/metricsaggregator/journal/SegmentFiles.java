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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates the segments of one journal, one at a time, and keeps the memory that they share. Belongs to the receiving thread. */
final class SegmentFiles {
    private static final int STAGING_BYTES = 1 << 20;

    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    /** Made for the first fast stream. */
    private @Nullable BlockWriter blocks;

    private Consumer<FileChannel> whenWritten = file -> {};

    /**
     * Creates a segment, readable by its owner alone.
     *
     * @param fast whether the thread {@code journal-writer} writes it; unless it is packed, with direct I/O
     * @param packed whether its frames are packed
     * @throws IOException if there is such a file, or it cannot be created
     * @throws UnsupportedOperationException if the file system does not take direct I/O
     */
    SegmentFile create(Path path, boolean fast, boolean packed) throws IOException {
        Set<OpenOption> options = new HashSet<>(
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        boolean direct = fast && !packed;
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        FileChannel file = open(path, options, direct);
        if (!fast) {
            return packed ? new PackedSegment(file) : new BufferedSegment(file, staging);
        }
        BlockWriter writer = blocks;
        if (writer == null) {
            writer = new BlockWriter();
            writer.whenWritten(whenWritten);
            blocks = writer;
        }
        return new DirectSegment(file, writer, packed);
    }

    private static FileChannel open(Path path, Set<OpenOption> options, boolean direct) throws IOException {
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

    /** Sets what is called on the thread {@code journal-writer} after each write of a segment; before the first such segment. */
    void whenWritten(Consumer<FileChannel> call) {
        whenWritten = call;
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
