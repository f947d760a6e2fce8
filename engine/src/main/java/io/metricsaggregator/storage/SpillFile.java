package io.metricsaggregator.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file without a name: whatever becomes of the process, nothing of it is left. One thread appends; any may read. */
final class SpillFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

    private final FileChannel channel;
    private volatile long size;
    private volatile boolean broken;

    SpillFile(Path directory) throws IOException {
        Path path = Files.createTempFile(
                directory,
                "values-",
                ".spill",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
    }

    /** Writes all of a buffer; answers where, or −1 if it could not. */
    long append(ByteBuffer content) {
        long at = size;
        ByteBuffer left = content.duplicate().clear();
        long position = at;
        try {
            while (left.hasRemaining() && !broken) {
                position += channel.write(left, position);
            }
        } catch (IOException e) {
            broken = true;
            LOG.warn("values could not be written to the spill file: {}", e.toString());
        }
        if (broken) {
            return -1;
        }
        size = position;
        return at;
    }

    /** Fills a buffer from a place; false if it cannot be read. */
    boolean read(long at, ByteBuffer into) {
        into.clear();
        try {
            while (into.hasRemaining()) {
                if (channel.read(into, at + into.position()) < 0) {
                    return false;
                }
            }
        } catch (IOException e) {
            LOG.warn("values could not be read back from the spill file: {}", e.toString());
            return false;
        }
        return true;
    }

    long size() {
        return size;
    }

    boolean isBroken() {
        return broken;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
