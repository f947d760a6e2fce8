package io.metricsaggregator.cli;

import io.metricsaggregator.config.DaemonConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options for the log of received frames. */
final class JournalOptions {
    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description =
                    "Keep every frame in DIR as it is received: a daemon that was killed goes on with the run when it is"
                            + " started again with the same DIR, and replay DIR computes it again.")
    private @Nullable Path directory;

    @Option(
            names = "--journal-sync",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "How often the journal is brought to the disk, such as 100ms; always: after each read; never."
                    + " What is in it survives a killed process in any case. Default: ${DEFAULT-VALUE}.")
    private String sync = "100ms";

    @Option(
            names = "--journal-segment",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "256m",
            description =
                    "A file of the journal that has as many bytes is followed by another. Default: ${DEFAULT-VALUE}.")
    private long segmentMaxBytes;

    /** Builds the journal's settings; null without {@code --journal}. */
    DaemonConfig.@Nullable Journal build() {
        if (directory == null) {
            return null;
        }
        long syncNanos = switch (sync) {
            case "always" -> 0;
            case "never" -> -1;
            default -> nanos();
        };
        return new DaemonConfig.Journal(directory, syncNanos, segmentMaxBytes);
    }

    private long nanos() {
        try {
            return Math.max(1, new DurationConverter().convert(sync).toNanos());
        } catch (CommandLine.TypeConversionException e) {
            throw new IllegalArgumentException("--journal-sync: " + e.getMessage() + "; or always, or never", e);
        }
    }
}
