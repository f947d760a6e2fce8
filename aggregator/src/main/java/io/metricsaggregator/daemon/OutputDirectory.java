package io.metricsaggregator.daemon;

import io.metricsaggregator.journal.DurableDirectory;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SteadyStateFiles;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a run's files, locked while the process runs. The final snapshot of an earlier run is renamed, so that no reader
 * takes it for the snapshot of this run.
 */
public final class OutputDirectory implements Closeable {
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

    /** The directory is writable by everyone, so others could replace the results. The message names the remedy. */
    public static final class UnsafeException extends IOException {
        private static final long serialVersionUID = 1L;

        UnsafeException(String message) {
            super(message);
        }
    }

    /**
     * Locks a directory, created durably if missing, and removes the signals of an earlier daemon's start from it.
     *
     * @throws UnsafeException if everyone may write to the directory
     * @throws LockFile.HeldException if another process uses it
     * @throws IOException if it cannot be created or used
     */
    public static OutputDirectory open(Path wanted) throws IOException {
        Path directory = create(wanted);
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
            opened.removeSignals();
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /**
     * Creates a directory for this user only, so that it survives a power failure. Does nothing if it exists.
     *
     * @return its absolute path
     */
    public static Path create(Path wanted) throws IOException {
        Path directory = wanted.toAbsolutePath().normalize();
        DurableDirectory.create(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
        return directory;
    }

    private void removeSignals() throws IOException {
        Files.deleteIfExists(directory.resolve(READY));
        Files.deleteIfExists(directory.resolve(SUBSCRIBED));
    }

    /**
     * Removes the signals of a daemon that has ended, before a slow start: until then others would take them for those of this process.
     * Leaves them to a daemon that runs, and any problem with the directory to {@link #open}.
     */
    static void removeStaleSignals(Path wanted) {
        if (Files.exists(wanted.resolve(READY)) || Files.exists(wanted.resolve(SUBSCRIBED))) {
            try {
                open(wanted).close();
            } catch (IOException e) {
                LOG.debug("signals of an earlier daemon stay directory={} cause={}", wanted, e.toString());
            }
        }
    }

    /**
     * Clears the directory of the files of earlier runs. To be called when the run has begun: a start that fails must leave the result of
     * an earlier run where it is. An earlier final snapshot keeps its content and gets the name of {@link EarlierResult}.
     *
     * @return the final snapshot under its new name; null if there was none
     */
    public @Nullable Path setAside() throws IOException {
        FinishedMarker.delete(directory);
        Path last = directory.resolve(FinalSnapshotWriter.FILE_NAME);
        Path aside = null;
        if (Files.exists(last, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(last, LinkOption.NOFOLLOW_LINKS)) {
            aside = EarlierResult.freeName(last);
            Files.move(last, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.info("final snapshot of an earlier run renamed file={}", aside);
        }
        SteadyStateFiles.remove(directory);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (FinalSnapshotWriter.isLeftover(name) || SteadyStateFiles.isLeftover(name)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
        return aside;
    }

    /**
     * Gives an earlier final snapshot its name back, because no new one was written.
     *
     * @param aside from {@link #setAside}; null to do nothing
     */
    void restore(@Nullable Path aside) throws IOException {
        Path last = directory.resolve(FinalSnapshotWriter.FILE_NAME);
        if (aside != null && !Files.exists(last, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(aside, last, StandardCopyOption.ATOMIC_MOVE);
            LOG.info("final snapshot of the earlier run restored file={}", last);
        }
    }

    /** Its absolute path. */
    public Path path() {
        return directory;
    }

    /** Creates {@code .ready}: the daemon is ready. */
    public void markReady() throws IOException {
        mark(READY);
    }

    /** Creates {@code .subscribed}: every record published from now on is received. */
    public void markSubscribed() throws IOException {
        mark(SUBSCRIBED);
    }

    private void mark(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            // Another process created it, and its statement is true.
            LOG.debug("file already exists file={}", file);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
