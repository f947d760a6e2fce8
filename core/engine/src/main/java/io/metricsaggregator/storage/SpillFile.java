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

/**
 * A temporary file that is deleted on creation, so that nothing remains however the process ends. One thread appends; any thread may read
 * what was appended. After a failed write the file takes no more.
 */
final class SpillFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

    private final FileChannel channel;
    private volatile long size;
    private volatile boolean broken;
    private volatile boolean abandoned;

    SpillFile(Path directory) throws IOException {
        Path path = Files.createTempFile(
                directory,
                "values-",
                ".spill",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
    }

    /** Appends a whole buffer; returns its position in the file, or −1 if it could not be written. */
    long append(ByteBuffer content) {
        long at = size;
        ByteBuffer left = content.duplicate().clear();
        long position = at;
        try {
            while (left.hasRemaining() && !broken) {
                position += channel.write(left, position);
            }
        } catch (IOException e) {
            if (abandoned) {
                return -1;
            }
            broken = true;
            LOG.warn("spill file write failed cause={}: no more values are spilled", e.toString());
        }
        if (broken) {
            return -1;
        }
        size = position;
        return at;
    }

    /** Fills a buffer from a position; returns false if that cannot be read. */
    boolean read(long at, ByteBuffer into) {
        into.clear();
        try {
            while (into.hasRemaining()) {
                if (channel.read(into, at + into.position()) < 0) {
                    return false;
                }
            }
        } catch (IOException e) {
            LOG.warn("spill file read failed cause={}", e.toString());
            return false;
        }
        return true;
    }

    /** Ends writes: nobody reads the file any more, so one that fails from now on is no loss. Any thread. */
    void abandon() {
        abandoned = true;
    }

    /** Bytes appended. */
    long size() {
        return size;
    }

    /** Whether a write has failed. */
    boolean isBroken() {
        return broken;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
