package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.transport.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a run's files: this process's alone while it runs. What an earlier run left is put aside, so that nobody takes
 * it for this run's.
 */
final class OutputDirectory implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputDirectory.class);
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final int STICKY = 01000;
    private static final String READY = ".ready";
    private static final String SUBSCRIBED = ".subscribed";

    private final Path directory;
    private final LockFile lock;

    private OutputDirectory(Path directory, LockFile lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** It may not be used: others could change what is in it. The text says what to do. */
    static final class UnsafeException extends IOException {
        private static final long serialVersionUID = 1L;

        UnsafeException(String message) {
            super(message);
        }
    }

    /**
     * Takes a directory, made if it is not there, and clears it of what an earlier run left.
     *
     * @param runId names what is put aside
     */
    static OutputDirectory open(Path wanted, String runId) throws IOException {
        Path directory = wanted.toAbsolutePath().normalize();
        if (!Files.exists(directory)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException("output directory " + wanted + " is not a directory");
        }
        int mode = (Integer) Files.getAttribute(directory, "unix:mode");
        boolean worldWritable = (mode & 2) != 0;
        if (worldWritable && (mode & STICKY) == 0) {
            throw new UnsafeException("output directory " + wanted + " is writable by everyone: they could replace the"
                    + " results. Use a directory of your own, or chmod o-w it");
        }
        OutputDirectory opened =
                new OutputDirectory(directory, LockFile.acquire(directory.resolve(".metrics-aggregator.lock")));
        try {
            opened.putAside(runId);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void putAside(String runId) throws IOException {
        Files.deleteIfExists(directory.resolve(READY));
        Files.deleteIfExists(directory.resolve(SUBSCRIBED));
        Path last = directory.resolve(FinalSnapshotWriter.FILE_NAME);
        if (Files.exists(last, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(last, LinkOption.NOFOLLOW_LINKS)) {
            Path aside = directory.resolve(FinalSnapshotWriter.FILE_NAME + ".stale-" + runId);
            Files.move(last, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.info("the final snapshot of an earlier run is now {}", aside);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (FinalSnapshotWriter.isLeftover(entry.getFileName().toString())) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    Path path() {
        return directory;
    }

    /** Leaves the sign that the daemon is ready. */
    void markReady() throws IOException {
        mark(READY);
    }

    /** Leaves the sign that no record published from now on is missed. */
    void markSubscribed() throws IOException {
        mark(SUBSCRIBED);
    }

    private void mark(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            // Another process made it; what it says is true.
            LOG.debug("{} exists already", file);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
