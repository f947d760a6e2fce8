package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The command {@code healthcheck}: whether a daemon is ready, for probes of containers and services. The start script answers it without a
 * JVM; this class gives the same answer when the program is started without the script, and documents the command.
 */
@Command(
        name = "healthcheck",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check that the daemon with the output directory DIR is ready and running. Exit status: 0 if it is, 1 with the reason"
                    + " if not. Takes a few milliseconds, because the start script answers without a JVM.",
            ""
        })
public final class HealthcheckCommand implements Callable<Integer> {
    private static final int UNHEALTHY = 1;

    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = "${env:METRICS_AGGREGATOR_OUTPUT_DIR:-.}",
            description = "Output directory of the daemon, on the same host or in the same container. Default:"
                    + " METRICS_AGGREGATOR_OUTPUT_DIR, or the working directory.")
    private Path directory = Path.of(".");

    @Override
    public Integer call() throws IOException {
        Path lock = directory.resolve(".metrics-aggregator.lock");
        if (!Files.exists(directory.resolve(".ready")) || !Files.isReadable(lock)) {
            System.err.println("metrics-aggregator: no daemon is ready in " + directory);
            return UNHEALTHY;
        }
        String pid = holder(lock);
        if (!Files.isDirectory(Path.of("/proc", pid))) {
            System.err.println("metrics-aggregator: the daemon of " + directory + " is not running (its process id was "
                    + pid + ")");
            return UNHEALTHY;
        }
        return 0;
    }

    /** The process id in a lock file {@code pid N}; {@code unknown} where it has none. */
    private static String holder(Path lock) throws IOException {
        Matcher mark = Pattern.compile("pid (\\d+)\\s*").matcher(Files.readString(lock));
        return mark.matches() ? mark.group(1) : "unknown";
    }
}
