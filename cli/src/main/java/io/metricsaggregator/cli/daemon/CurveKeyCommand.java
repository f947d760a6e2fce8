package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.DurableFile;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.transport.CurveKeyPair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code curve-key}: creates the key pair of one side of a CURVE connection. */
@Command(
        name = "curve-key",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Create a CURVE key pair for --curve-key, and print its public key, which the other side needs: in the file of"
                    + " --curve-allow where it binds, as --curve-server-key where it connects.",
            ""
        },
        footer = {"", "Example: metrics-aggregator curve-key curve.key"})
public final class CurveKeyCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description = "File to create, which must not exist: public key on line 1, secret key on line 2, mode 600.")
    private @Nullable Path file;

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw new IllegalArgumentException("FILE is missing");
        }
        CurveKeyPair pair = CurveKeyPair.generate();
        try (DurableFile out = DurableFile.create(file, PosixFilePermissions.fromString("rw-------"))) {
            out.stream().write((pair.publicKey() + "\n" + pair.secretKey() + "\n").getBytes(StandardCharsets.US_ASCII));
            out.commit();
        }
        spec.commandLine().getOut().println(pair.publicKey());
        return 0;
    }
}
