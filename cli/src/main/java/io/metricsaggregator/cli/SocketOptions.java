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

/** Options of every command that has sockets. */
final class SocketOptions {

    @Option(
            names = "--max-frame",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "128MiB",
            description =
                    "Largest frame to take; a peer that declares more is disconnected. Default: ${DEFAULT-VALUE}.")
    private long maxFrameBytes;

    @Option(
            names = "--allow-uid",
            paramLabel = "UID",
            description = "User besides yourself and root whose processes may be peers on ipc. May be repeated.")
    private List<Integer> allowedUids = List.of();

    @Option(
            names = "--insecure-socket-dir",
            description = "Bind ipc sockets also in a directory that others can write to.")
    private boolean insecureSocketDir;

    @Option(
            names = "--insecure-bind",
            description =
                    "Bind tcp without CURVE also to addresses others can reach. Anyone there may publish and read.")
    private boolean insecureBind;

    @Option(
            names = "--curve-key",
            paramLabel = "FILE",
            description =
                    "Use CURVE for every tcp endpoint, with the keys in FILE (mode 600): the public key on the first"
                            + " line, the secret key on the second, in Z85.")
    private @Nullable Path curveKey;

    @Option(
            names = "--curve-allow",
            paramLabel = "FILE",
            description = "Public keys of the clients that may connect to what is bound, one a line.")
    private @Nullable Path curveAllow;

    @Option(
            names = "--curve-server-key",
            paramLabel = "KEY",
            description = "Public key of the server that is connected to.")
    private @Nullable String curveServerKey;

    TransportOptions build() throws IOException {
        return TransportOptions.builder()
                .frameMaxBytes(maxFrameBytes)
                .allowedUids(new HashSet<>(allowedUids))
                .insecureSocketDir(insecureSocketDir)
                .insecureBind(insecureBind)
                .curve(curve())
                .build();
    }

    /** Whether what is bound may be open to others. */
    boolean allowsInsecureBind() {
        return insecureBind;
    }

    private @Nullable CurveKeys curve() throws IOException {
        if (curveKey == null) {
            if (curveAllow != null || curveServerKey != null) {
                throw new IllegalArgumentException("--curve-allow and --curve-server-key need --curve-key");
            }
            return null;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(curveKey);
        mode.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        if (!mode.isEmpty()) {
            throw new IllegalArgumentException(
                    "key file " + curveKey + " can be read by others; it holds a secret: chmod 600 " + curveKey);
        }
        List<String> keys = lines(curveKey);
        if (keys.size() != 2) {
            throw new IllegalArgumentException(
                    "key file " + curveKey + " holds " + keys.size() + " lines, not a public and a secret key");
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
