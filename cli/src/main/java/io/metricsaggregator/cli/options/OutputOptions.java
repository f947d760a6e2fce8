package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.OptionGroup;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The final snapshot's directory and permissions, and the interval of published snapshots. */
@OptionGroup.In(OptionGroup.OUTPUT)
public final class OutputOptions {
    @Option(
            names = {"--output-dir", "--metrics-output-dir"},
            paramLabel = "DIR",
            required = true,
            description =
                    "Directory for final_snapshot.json, created if missing. An earlier final_snapshot.json in it is"
                            + " renamed, not overwritten.")
    private @Nullable Path directory;

    @Option(
            names = "--fallback-dir",
            paramLabel = "DIR",
            description = "Directory for final_snapshot.json if --output-dir cannot be written at the end of the run.")
    private @Nullable Path fallback;

    @Option(
            names = "--output-mode",
            paramLabel = "MODE",
            defaultValue = "600",
            description = "Permissions of final_snapshot.json, octal, such as 640. Default: ${DEFAULT-VALUE}.")
    private String mode = "600";

    @Option(
            names = "--publish-interval",
            paramLabel = "SECONDS",
            converter = DurationConverter.Seconds.class,
            defaultValue = "0.25",
            description = "Time between snapshots, in seconds or with a unit such as 250ms; at least 1ms. Default:"
                    + " ${DEFAULT-VALUE} s.")
    private Duration publishInterval = Duration.ofMillis(250);

    /**
     * Builds the settings of the final snapshot's file.
     *
     * @param missing stands for a directory that is not given; null if it has to be
     * @throws IllegalArgumentException if the directory is missing or the mode is not one that its owner can read and write with
     */
    public DaemonConfig.Output build(@Nullable Path missing) {
        Path used = directory == null ? missing : directory;
        if (used == null) {
            throw new IllegalArgumentException("--output-dir is missing");
        }
        return new DaemonConfig.Output(used, fallback, permissions(mode));
    }

    /** Time between two published snapshots in nanoseconds. */
    public long publishIntervalNanos() {
        return publishInterval.toNanos();
    }

    private static Set<PosixFilePermission> permissions(String octal) {
        int bits = OctalMode.bits("--output-mode", octal);
        if ((bits & 0600) != 0600) {
            throw new IllegalArgumentException(
                    "--output-mode " + octal + " denies the owner reading or writing. Use 600, 640 or 644");
        }
        return OctalMode.permissions(bits);
    }
}
