package io.metricsaggregator.publish;

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

/**
 * The operating system's file system.
 *
 * @param mode permissions of the files it creates, whatever the umask
 */
record RealDisk(Set<PosixFilePermission> mode) implements Disk {

    @Override
    public File create(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(mode));
        try {
            // The umask may have cleared bits of the requested mode.
            if (!Files.getPosixFilePermissions(path).equals(mode)) {
                Files.setPosixFilePermissions(path, mode);
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return new ChannelFile(channel);
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

    private record ChannelFile(FileChannel channel) implements File {
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
    }
}
