package io.metricsaggregator.cli;

import io.metricsaggregator.transport.Endpoint;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Sockets named within one directory, as MLCommons endpoints names them. A name cannot lead out of it. */
record SocketDirectory(Path directory) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    Endpoint endpoint(String option, String name, boolean bind) {
        if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(option + " '" + name
                    + "' is no socket name: 1 to 64 letters, digits, dots, dashes and underscores");
        }
        return new Endpoint(Endpoint.Scheme.IPC, bind, directory.resolve(name).toString(), 0);
    }
}
