package io.metricsaggregator.cli.options;

import io.metricsaggregator.transport.Endpoint;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The directory of the sockets that MLCommons endpoints names. A name cannot lead out of it.
 *
 * @param directory the value of {@code --socket-dir}
 */
public record SocketDirectory(Path directory) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /**
     * The ipc endpoint of a socket in this directory.
     *
     * @param option the option that names the socket, for the message of an error
     * @throws IllegalArgumentException if the name has other characters than letters, digits, dots, dashes and underscores
     */
    public Endpoint endpoint(String option, String name, boolean bind) {
        if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(option + " '" + name
                    + "' is not a socket name of 1 to 64 letters, digits, dots, dashes and underscores");
        }
        return new Endpoint(Endpoint.Scheme.IPC, bind, directory.resolve(name).toString(), 0);
    }
}
