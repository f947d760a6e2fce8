package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.LockFile;
import io.metricsaggregator.transport.TransportException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds a Unix domain socket exclusively: a lock file names the owner, only a dead socket of the same user is replaced, and the
 * socket receives its mode in a private directory before it is moved to its path. A missing directory is created.
 */
final class IpcBinding {
    private static final Set<PosixFilePermission> PRIVATE_DIR = PosixFilePermissions.fromString("rwx------");
    private static final int BACKLOG = 1024;
    /** Length of the private directory's and the socket's names: {@code /.0123/s}. */
    private static final int PRIVATE_NAME_BYTES = 8;

    private final Path path;
    private final Path directory;
    private final Set<PosixFilePermission> mode;
    private final boolean exposed;
    private final LockFile lock;
    private @Nullable Object boundFile;

    private IpcBinding(Path path, Path directory, Set<PosixFilePermission> mode, boolean exposed, LockFile lock) {
        this.path = path;
        this.directory = directory;
        this.mode = mode;
        this.exposed = exposed;
        this.lock = lock;
    }

    /**
     * Locks a path for this process and removes a dead socket there. {@link #bind} creates the new one. Creates missing directories for
     * their owner alone; users whom {@code mode} lets connect can pass through them, and do nothing else.
     *
     * @param mode permissions of the socket
     * @param anyDirectory whether a directory that others can write to is accepted
     * @throws TransportException if the path is in use or not safe
     */
    static IpcBinding claim(Path path, Set<PosixFilePermission> mode, boolean anyDirectory) throws TransportException {
        Path absolute = path.toAbsolutePath();
        Path directory = absolute.getParent();
        if (directory == null) {
            throw unavailable(path, "it is the root directory", null);
        }
        try {
            createMissing(directory, mode);
            if (!Files.isDirectory(directory)) {
                throw unavailable(path, directory + " is not a directory", null);
            }
            boolean exposed = isWritableByOthers(directory);
            if (exposed && !anyDirectory) {
                throw unsafe(directory);
            }
            LockFile lock = LockFile.acquire(directory.resolve(absolute.getFileName() + ".lock"));
            IpcBinding binding = new IpcBinding(absolute, directory, mode, exposed, lock);
            try {
                binding.removeDeadSocket();
            } catch (IOException e) {
                binding.release();
                throw e;
            }
            return binding;
        } catch (TransportException e) {
            throw e;
        } catch (LockFile.HeldException e) {
            throw unavailable(path, "it is " + e.getMessage(), e);
        } catch (AccessDeniedException e) {
            throw unavailable(path, "permission denied: " + e.getFile(), e);
        } catch (IOException e) {
            throw unavailable(path, String.valueOf(e.getMessage()), e);
        }
    }

    /** Creates a directory and those above it that are missing; the umask does not reduce what {@code mode} asks for. */
    private static void createMissing(Path directory, Set<PosixFilePermission> mode) throws IOException {
        Path above = directory.getParent();
        if (above == null || Files.exists(directory)) {
            return;
        }
        createMissing(above, mode);
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PRIVATE_DIR));
        } catch (FileAlreadyExistsException e) {
            return; // Another process created it at the same time.
        }
        Set<PosixFilePermission> passable = new HashSet<>(PRIVATE_DIR);
        if (mode.contains(PosixFilePermission.GROUP_WRITE)) {
            passable.add(PosixFilePermission.GROUP_EXECUTE);
        }
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            passable.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        Files.setPosixFilePermissions(directory, passable);
    }

    private static boolean isWritableByOthers(Path directory) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        return mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static TransportException unsafe(Path directory) throws IOException {
        return new TransportException(
                TransportException.Reason.UNSAFE,
                "socket directory " + directory + " is writable by others ("
                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))
                        + "): they could replace the socket. Use a directory of your own (chmod 700), or"
                        + " --insecure-socket-dir");
    }

    /** Whether other users can write to the directory and so replace the socket. */
    boolean isExposed() {
        return exposed;
    }

    /** Removes the socket of a killed process; fails on anything else. */
    private void removeDeadSocket() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        int fileType = mode & 0xf000;
        if (fileType != 0xc000) {
            throw unavailable(path, "the path exists and is not a socket; it was left as it is", null);
        }
        int owner = (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (owner != PeerUser.ownUid()) {
            throw unavailable(path, "the socket there belongs to user " + owner + "; it was left as it is", null);
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException dead) {
            Files.delete(path);
            return;
        }
        throw unavailable(path, "another process listens on it", null);
    }

    /** Creates the socket and listens. */
    ServerSocketChannel bind() throws IOException {
        int bytes = directory.toString().getBytes(StandardCharsets.UTF_8).length + PRIVATE_NAME_BYTES;
        if (bytes > Endpoint.IPC_PATH_MAX_BYTES) {
            throw unavailable(
                    path,
                    "the socket is created under a temporary path of " + bytes + " bytes, and "
                            + Endpoint.IPC_PATH_MAX_BYTES + " are allowed; use a directory with a shorter path",
                    null);
        }
        Path home = Files.createDirectory(
                directory.resolve("." + HexFormat.of().toHexDigits(new SecureRandom().nextLong(), 4)),
                PosixFilePermissions.asFileAttribute(PRIVATE_DIR));
        Path born = home.resolve("s");
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(born), BACKLOG);
            Files.setPosixFilePermissions(born, mode);
            boundFile = fileKey(born);
            Files.move(born, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            server.close();
            Files.deleteIfExists(born);
            throw e;
        } finally {
            Files.delete(home);
        }
        return server;
    }

    /** Removes the socket, unless another one has replaced it, and releases the lock. */
    void release() throws IOException {
        try {
            if (boundFile != null && boundFile.equals(fileKey(path))) {
                Files.delete(path);
            }
        } catch (NoSuchFileException gone) {
            // The socket was removed from outside.
        } finally {
            lock.close();
        }
    }

    private static Object fileKey(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    private static TransportException unavailable(Path path, String why, @Nullable IOException cause) {
        String message = "cannot bind ipc://" + path + ": " + why;
        return cause == null
                ? new TransportException(TransportException.Reason.UNAVAILABLE, message)
                : new TransportException(TransportException.Reason.UNAVAILABLE, message, cause);
    }
}
