package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The journal of received frames. */
@OptionGroup.In(OptionGroup.JOURNAL)
public final class JournalOptions {
    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description =
                    "Directory of a journal that keeps every received frame. A killed daemon that is restarted with the same"
                            + " DIR resumes the run; 'replay DIR' recomputes it.")
    private @Nullable Path directory;

    @Needs("--journal")
    @Option(
            names = "--journal-sync",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description =
                    "Time between fsyncs of the journal, such as 100ms; always: fsync after each read; never: leave it to the"
                            + " kernel. Only a crash of the machine loses unsynced frames, not a killed process. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String sync = "100ms";

    @Needs("--journal")
    @Option(
            names = "--journal-segment",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "256m",
            description = "Rotate journal segments at SIZE. Default: ${DEFAULT-VALUE}.")
    private long segmentMaxBytes;

    /** Builds the journal's settings; null without {@code --journal}. */
    public DaemonConfig.@Nullable Journal build() {
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
            throw new IllegalArgumentException("--journal-sync: " + e.getMessage() + ". Or use always, or never", e);
        }
    }
}
