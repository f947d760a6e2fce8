package io.metricsaggregator.publish;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** The calls of which a durable write is made; a test has one that fails where it is told to. */
interface Disk {

    /** A file being written. */
    interface File extends Closeable {
        int write(ByteBuffer bytes) throws IOException;

        long size() throws IOException;

        void force() throws IOException;
    }

    /** Makes a file that was not there. */
    File create(Path path) throws IOException;

    void rename(Path from, Path to) throws IOException;

    void forceDirectory(Path directory) throws IOException;

    /** The content of a file, to be closed. */
    InputStream open(Path path) throws IOException;

    void deleteIfExists(Path path) throws IOException;

    /** The operating system's. New files get {@code mode}, whatever the umask. */
    static Disk real(Set<PosixFilePermission> mode) {
        return new Disk() {
            @Override
            public File create(Path path) throws IOException {
                FileChannel channel = FileChannel.open(
                        path,
                        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(mode));
                try {
                    // The umask may have taken bits away that were asked for.
                    if (!Files.getPosixFilePermissions(path).equals(mode)) {
                        Files.setPosixFilePermissions(path, mode);
                    }
                } catch (IOException e) {
                    channel.close();
                    throw e;
                }
                return new File() {
                    @Override
                    public int write(ByteBuffer bytes) throws IOException {
                        return channel.write(bytes);
                    }

                    @Override
                    public long size() throws IOException {
                        return channel.size();
                    }

                    @Override
                    public void force() throws IOException {
                        channel.force(true);
                    }

                    @Override
                    public void close() throws IOException {
                        channel.close();
                    }
                };
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            }

            @Override
            public void forceDirectory(Path directory) throws IOException {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                }
            }

            @Override
            public InputStream open(Path path) throws IOException {
                return Files.newInputStream(path);
            }

            @Override
            public void deleteIfExists(Path path) throws IOException {
                Files.deleteIfExists(path);
            }
        };
    }
}
