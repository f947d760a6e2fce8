package io.metricsaggregator.cli;

import io.metricsaggregator.transport.CurveKeys;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Limits and access control of every command that opens sockets. */
@OptionGroup.In(OptionGroup.SECURITY)
final class SocketOptions {

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--max-frame",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "128MiB",
            description =
                    "Maximum frame size to accept; a peer that declares more is disconnected. Default: ${DEFAULT-VALUE}.")
    private long maxFrameBytes;

    @Option(
            names = "--allow-uid",
            paramLabel = "UID",
            description =
                    "Numeric id of a user, besides your own and root, whose processes may connect over ipc. Repeatable.")
    private List<Integer> allowedUids = List.of();

    @Option(
            names = "--insecure-socket-dir",
            description = "Allow ipc sockets in a directory that other users can write to.")
    private boolean insecureSocketDir;

    @Option(
            names = "--insecure-bind",
            description =
                    "Bind tcp without CURVE to addresses that other hosts can reach. Anyone there may publish and read.")
    private boolean insecureBind;

    @Option(
            names = "--curve-key",
            paramLabel = "FILE",
            description =
                    "Key file that enables CURVE on every tcp endpoint: public key on line 1, secret key on line 2, in Z85. Its"
                            + " mode must be 600.")
    private @Nullable Path curveKey;

    @Option(
            names = "--curve-allow",
            paramLabel = "FILE",
            description = "File with the public keys of the clients that may connect to bound endpoints, one per line.")
    private @Nullable Path curveAllow;

    @Option(
            names = "--curve-server-key",
            paramLabel = "KEY",
            description = "Public key, in Z85, of the server that endpoints connect to.")
    private @Nullable String curveServerKey;

    /**
     * Builds the transport's options.
     *
     * @throws IOException if a key file cannot be read
     * @throws IllegalArgumentException if others can read the secret key, or a file does not hold the keys
     */
    TransportOptions build() throws IOException {
        return TransportOptions.builder()
                .frameMaxBytes(maxFrameBytes)
                .allowedUids(new HashSet<>(allowedUids))
                .insecureSocketDir(insecureSocketDir)
                .insecureBind(insecureBind)
                .curve(curve())
                .build();
    }

    /** Whether endpoints that other hosts can reach may be bound without authentication. */
    boolean allowsInsecureBind() {
        return insecureBind;
    }

    private @Nullable CurveKeys curve() throws IOException {
        if (curveKey == null) {
            if (curveAllow != null || curveServerKey != null) {
                throw new IllegalArgumentException("--curve-allow and --curve-server-key need --curve-key FILE");
            }
            return null;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(curveKey);
        mode.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        if (!mode.isEmpty()) {
            throw new IllegalArgumentException("key file " + curveKey
                    + " holds a secret and can be read by other users. Run chmod 600 " + curveKey);
        }
        List<String> keys = lines(curveKey);
        if (keys.size() != 2) {
            throw new IllegalArgumentException(
                    "key file " + curveKey + " has " + keys.size() + " lines; expected a public and a secret key");
        }
        return new CurveKeys(
                keys.get(0),
                keys.get(1),
                curveServerKey,
                curveAllow == null ? Set.of() : new HashSet<>(lines(curveAllow)));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty() && !line.startsWith("# "))
                .toList();
    }
}
