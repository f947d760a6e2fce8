package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells a socket that this process can never connect to from one that nobody has bound yet. */
final class IpcObstacle {
    private static final int FILE_TYPE = 0xf000;
    private static final int SOCKET = 0xc000;

    private IpcObstacle() {}

    /** What keeps this process from connecting, and the remedy, in words; null if a peer has only to bind the socket. */
    static @Nullable String of(Path socket) {
        Path directory = socket.toAbsolutePath().getParent();
        try {
            Map<String, Object> file = Files.readAttributes(socket, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
            int mode = file.get("mode") instanceof Integer bits ? bits : 0;
            if ((mode & FILE_TYPE) != SOCKET) {
                return "it is a file of another kind, not a socket";
            }
            return Files.isWritable(socket)
                    ? null
                    : String.format(
                            "permission denied: the socket belongs to uid %s (mode %o). Connect as that user, or start the process that"
                                    + " binds it with --socket-mode and --allow-uid",
                            file.get("uid"), mode & 0777);
        } catch (AccessDeniedException e) {
            return "permission denied: this user cannot search " + directory;
        } catch (NoSuchFileException e) {
            return directory != null && !Files.isDirectory(directory)
                    ? "the directory " + directory + " does not exist"
                    : null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Without these attributes the error of the attempt has to do.
            return null;
        }
    }
}
