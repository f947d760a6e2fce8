package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What keeps this process from connecting to a socket, as opposed to one that nobody has bound yet.
 *
 * @param cause with the remedy, in words
 * @param isPermanent whether a peer cannot remove it by binding the socket
 */
record IpcObstacle(String cause, boolean isPermanent) {
    private static final int FILE_TYPE = 0xf000;
    private static final int SOCKET = 0xc000;

    /**
     * A file as the operating system describes it.
     *
     * @param mode type and permissions
     * @param uid of its owner
     * @param isWritable whether this process may write to it, and so connect
     */
    record Facts(int mode, int uid, boolean isWritable) {}

    /** The obstacle on the way to a socket; null if a peer has only to bind it. */
    static @Nullable IpcObstacle of(Path socket) {
        Path directory = socket.toAbsolutePath().getParent();
        try {
            Map<String, Object> file = Files.readAttributes(socket, "unix:mode,uid");
            int mode = file.get("mode") instanceof Integer bits ? bits : 0;
            int uid = file.get("uid") instanceof Integer id ? id : -1;
            return of(new Facts(mode, uid, Files.isWritable(socket)));
        } catch (AccessDeniedException e) {
            return new IpcObstacle("permission denied: this user cannot search " + directory, true);
        } catch (FileSystemException e) {
            return directory == null || Files.isDirectory(directory) ? null : without(directory);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Without these attributes the error of the attempt has to do.
            return null;
        }
    }

    /** The obstacle that a file is; null for a socket that this process may connect to. */
    static @Nullable IpcObstacle of(Facts file) {
        if ((file.mode & FILE_TYPE) != SOCKET) {
            return new IpcObstacle("it is a file of another kind, not a socket", true);
        }
        return file.isWritable
                ? null
                : new IpcObstacle(
                        String.format(
                                "permission denied: the socket belongs to uid %d (mode %o). Connect as that user, or start the process"
                                        + " that binds it with --socket-mode and --allow-uid",
                                file.uid, file.mode & 0777),
                        true);
    }

    private static IpcObstacle without(Path directory) {
        for (Path above = directory; above != null; above = above.getParent()) {
            if (Files.exists(above) && !Files.isDirectory(above)) {
                return new IpcObstacle(above + " is a file, not a directory", true);
            }
        }
        return new IpcObstacle("the directory " + directory + " does not exist", false);
    }
}
