package io.metricsaggregator.publish;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** The file system calls of a durable write. A test replaces them to inject failures. */
interface Disk {

    /** A file open for writing. */
    interface File extends Closeable {
        int write(ByteBuffer bytes) throws IOException;

        /** The file's length in bytes, as the file system reports it. */
        long size() throws IOException;

        /** Returns when content and metadata are on the storage device (fsync). */
        void force() throws IOException;
    }

    /**
     * Creates a file and opens it for writing.
     *
     * @throws java.nio.file.FileAlreadyExistsException if {@code path} exists
     */
    File create(Path path) throws IOException;

    /** Renames atomically, replacing {@code to} if it exists. */
    void rename(Path from, Path to) throws IOException;

    /** Returns when the directory's entries, and so a rename in it, are on the storage device (fsync). */
    void forceDirectory(Path directory) throws IOException;

    /** Opens a file for reading; the caller closes the stream. */
    InputStream open(Path path) throws IOException;

    void deleteIfExists(Path path) throws IOException;

    /** The operating system's file system. It creates files with {@code mode}, whatever the umask. */
    static Disk real(Set<PosixFilePermission> mode) {
        return new RealDisk(mode);
    }
}
