package io.metricsaggregator.cli.options;

import io.metricsaggregator.options.OptionGroup;
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
public final class SocketOptions {
    private static final int FRAME_MIN_BYTES = 64;
    private static final int FRAME_MAX_BYTES = Integer.MAX_VALUE / 2;

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
            names = "--socket-mode",
            paramLabel = "MODE",
            defaultValue = "600",
            description =
                    "Permissions of bound ipc sockets, octal. 660 with --allow-uid admits users of your group; 666, for"
                            + " all users, needs --insecure-socket-dir. Default: ${DEFAULT-VALUE}.")
    private String socketMode = "600";

    @Option(
            names = "--insecure-socket-dir",
            description =
                    "Allow ipc sockets in a directory that other users can write to, and sockets that all users can"
                            + " connect to (--socket-mode 666).")
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
    public TransportOptions build() throws IOException {
        if (maxFrameBytes < FRAME_MIN_BYTES || maxFrameBytes > FRAME_MAX_BYTES) {
            throw new IllegalArgumentException("--max-frame is not from " + FRAME_MIN_BYTES + "b to 1g");
        }
        if (allowedUids.stream().anyMatch(each -> each < 0)) {
            throw new IllegalArgumentException("--allow-uid is negative");
        }
        return TransportOptions.builder()
                .frameMaxBytes(maxFrameBytes)
                .allowedUids(new HashSet<>(allowedUids))
                .socketMode(socketPermissions())
                .insecureSocketDir(insecureSocketDir)
                .insecureBind(insecureBind)
                .curve(curve())
                .build();
    }

    /** Whether endpoints that other hosts can reach may be bound without authentication. */
    public boolean allowsInsecureBind() {
        return insecureBind;
    }

    private Set<PosixFilePermission> socketPermissions() {
        int bits = OctalMode.bits("--socket-mode", socketMode);
        boolean owner = (bits & 0700) == 0600;
        boolean group = (bits & 0070) == 0 || (bits & 0030) == 0020;
        boolean others = (bits & 0007) == 0 || (bits & 0003) == 0002;
        if (!owner || !group || !others) {
            throw new IllegalArgumentException("--socket-mode " + socketMode
                    + " is not a mode of a socket: connecting needs write permission, and nobody executes it. Use 600, 660 or,"
                    + " with --insecure-socket-dir, 666");
        }
        if ((bits & 0007) != 0 && !insecureSocketDir) {
            throw new IllegalArgumentException("--socket-mode " + socketMode
                    + " lets every user connect. Use 660 and a common group, or --insecure-socket-dir to accept that");
        }
        return OctalMode.permissions(bits);
    }

    private @Nullable CurveKeys curve() throws IOException {
        if (curveKey == null) {
            if (curveAllow != null || curveServerKey != null) {
                throw new IllegalArgumentException("--curve-allow and --curve-server-key need --curve-key FILE");
            }
            return null;
        }
        requireReadable("--curve-key", curveKey);
        if (curveAllow != null) {
            requireReadable("--curve-allow", curveAllow);
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(curveKey);
        mode.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        if (!mode.isEmpty()) {
            throw new IllegalArgumentException("--curve-key: key file " + curveKey
                    + " holds a secret and can be read by other users. Run chmod 600 " + curveKey);
        }
        if (curveServerKey != null && curveServerKey.length() != CurveKeys.KEY_LENGTH) {
            throw new IllegalArgumentException("--curve-server-key is " + curveServerKey.length()
                    + " characters long; a Z85 key has " + CurveKeys.KEY_LENGTH);
        }
        List<String> keys = lines(curveKey);
        if (keys.size() != 2) {
            throw new IllegalArgumentException("--curve-key: key file " + curveKey + " has " + keys.size()
                    + " lines; expected a public and a secret key");
        }
        try {
            return new CurveKeys(
                    keys.get(0),
                    keys.get(1),
                    curveServerKey,
                    curveAllow == null ? Set.of() : new HashSet<>(lines(curveAllow)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--curve-key " + curveKey + (curveAllow == null ? "" : ", --curve-allow " + curveAllow) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static void requireReadable(String option, Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(option + ": " + file + (Files.exists(file) ? " cannot be read" : " does not exist"));
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(option + ": " + file + " is a directory, not a file");
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return ConfigurationFile.lines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty() && !line.startsWith("# "))
                .toList();
    }
}
