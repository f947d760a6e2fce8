package io.metricsaggregator.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that is either written whole and durably, or left as it was. It is written under a random name, fsynced and renamed, and its
 * directory is fsynced; links at either name are never followed. A failed fsync is never retried on the same file: the kernel may have
 * dropped the dirty pages, so a second call can succeed without the data.
 *
 * <p>Must run on a thread that is never interrupted: an interrupt closes the channel during the write.
 */
public final class AtomicFile {
    private static final int NAME_RANDOM_BYTES = 8;

    private final Disk disk;
    private final Path directory;
    private final String name;

    /** The file {@code name} in {@code directory}. */
    AtomicFile(Disk disk, Path directory, String name) {
        this.disk = disk;
        this.directory = directory;
        this.name = name;
    }

    /**
     * The file {@code name} in {@code directory}, on the operating system's file system.
     *
     * @param mode its permissions
     */
    public static AtomicFile of(Path directory, String name, Set<PosixFilePermission> mode) {
        return new AtomicFile(Disk.real(mode), directory, name);
    }

    /** A step of the write that failed. */
    public enum Step {
        CREATE,
        WRITE,
        CHECK_SIZE,
        SYNC,
        CLOSE,
        RENAME,
        SYNC_DIRECTORY,
        READ_BACK
    }

    /** The file was not written, or is not known to be durable. */
    public static final class WriteException extends IOException {
        private static final long serialVersionUID = 1L;

        private final Step step;

        WriteException(Step step, Path directory, String name, IOException cause) {
            super(
                    "step " + step + " of writing " + directory.resolve(name) + " failed: "
                            + reason(directory.toAbsolutePath(), cause),
                    cause);
            this.step = step;
        }

        /** Describes the errors whose message in the JDK is only the path of the temporary file. */
        private static @Nullable String reason(Path directory, IOException cause) {
            if (cause instanceof NoSuchFileException && Files.notExists(directory)) {
                return "the directory " + directory
                        + " does not exist; make it, or name another one with --fallback-dir";
            }
            if (cause instanceof AccessDeniedException) {
                return "permission denied in " + directory
                        + "; permit this user to write there, or name another directory with --fallback-dir";
            }
            return cause.getMessage();
        }

        /** The step that failed. */
        public Step step() {
            return step;
        }
    }

    /** The path of the finished file. */
    Path path() {
        return directory.resolve(name);
    }

    /** Content of a file; every call writes the same bytes. */
    public interface Content {
        /**
         * Writes all bytes.
         *
         * @throws IOException if {@code to} does
         */
        void writeTo(OutputStream to) throws IOException;
    }

    /**
     * Writes the file in pieces of 64 KiB, which bounds the memory it takes. When this returns, the file is durable.
     *
     * @throws WriteException naming the step; the former file is then still there, unless the step is one after
     *     {@link Step#RENAME}
     * @throws RuntimeException what the content throws; the former file is then still there. The same for an {@link Error}
     */
    public void write(Content content) throws WriteException {
        byte[] random = new byte[NAME_RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        Path temporary = directory.resolve("." + name + "." + HexFormat.of().formatHex(random) + ".tmp");
        Step step = Step.CREATE;
        try {
            CheckedStream stream;
            try (Disk.File file = disk.create(temporary)) {
                step = Step.WRITE;
                stream = new CheckedStream(file);
                content.writeTo(stream);
                stream.flush();
                step = Step.CHECK_SIZE;
                if (file.size() != stream.size()) {
                    throw new IOException("it holds " + file.size() + " of " + stream.size() + " bytes");
                }
                step = Step.SYNC;
                file.force();
                step = Step.CLOSE;
            }
            step = Step.RENAME;
            disk.rename(temporary, path());
            step = Step.SYNC_DIRECTORY;
            disk.forceDirectory(directory);
            step = Step.READ_BACK;
            try (InputStream written = disk.open(path())) {
                if (!stream.isWhatWasWritten(written)) {
                    throw new IOException("it does not read back as it was written");
                }
            }
        } catch (IOException e) {
            throw failure(step, temporary, e);
        } catch (UncheckedIOException e) {
            throw failure(step, temporary, Objects.requireNonNull(e.getCause()));
        } catch (RuntimeException | Error e) {
            // The content could not be produced, usually because memory ran out.
            removeQuietly(temporary, e);
            throw e;
        }
    }

    private WriteException failure(Step step, Path temporary, IOException cause) {
        WriteException failure = new WriteException(step, directory, name, cause);
        if (!(step == Step.CREATE && cause instanceof FileAlreadyExistsException)) {
            removeQuietly(temporary, failure);
        }
        return failure;
    }

    private void removeQuietly(Path temporary, Throwable failure) {
        try {
            disk.deleteIfExists(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Returns the pattern of the temporary files that a killed process leaves when it writes {@code name}. */
    static Pattern leftovers(String name) {
        return Pattern.compile(Pattern.quote("." + name + ".") + "[0-9a-f]{" + 2 * NAME_RANDOM_BYTES + "}\\.tmp");
    }
}
