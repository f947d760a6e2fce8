package io.metricsaggregator.publish;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A file that is there whole and durable, or as it was before. Written under a random name, forced to disk, moved to its place, and
 * the directory forced too; links at either name are never followed. A step that failed is never repeated on the same file: after
 * a failed fsync the kernel may call lost data clean.
 *
 * <p>Must run on a thread that nobody interrupts: an interrupt closes the channel under the write.
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

        WriteException(Step step, Path path, IOException cause) {
            super("step " + step + " of writing " + path + " failed: " + cause.getMessage(), cause);
            this.step = step;
        }

        /** Where it stopped. */
        public Step step() {
            return step;
        }
    }

    /** The file's path. */
    Path path() {
        return directory.resolve(name);
    }

    /**
     * Writes the file. When this returns, it is on disk.
     *
     * @throws WriteException naming the step; the former file is then still there, unless the step is one after
     *     {@link Step#RENAME}
     */
    void write(byte[] content) throws WriteException {
        byte[] random = new byte[NAME_RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        Path temporary = directory.resolve("." + name + "." + HexFormat.of().formatHex(random) + ".tmp");
        Step step = Step.CREATE;
        try {
            try (Disk.File file = disk.create(temporary)) {
                step = Step.WRITE;
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    if (file.write(bytes) <= 0) {
                        throw new IOException("the file takes no more");
                    }
                }
                step = Step.CHECK_SIZE;
                if (file.size() != content.length) {
                    throw new IOException("it holds " + file.size() + " of " + content.length + " bytes");
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
            if (!java.util.Arrays.equals(disk.read(path()), content)) {
                throw new IOException("it does not read back as it was written");
            }
        } catch (IOException e) {
            WriteException failure = new WriteException(step, path(), e);
            if (!(step == Step.CREATE && e instanceof FileAlreadyExistsException)) {
                removeQuietly(temporary, failure);
            }
            throw failure;
        }
    }

    private void removeQuietly(Path temporary, WriteException failure) {
        try {
            disk.deleteIfExists(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Which files in a directory are what a killed process left of writing {@code name}. */
    static Pattern leftovers(String name) {
        return Pattern.compile(Pattern.quote("." + name + ".") + "[0-9a-f]{" + 2 * NAME_RANDOM_BYTES + "}\\.tmp");
    }
}
