package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.files.ImportFormatOptions;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.follow.FollowedInput;
import io.metricsaggregator.imports.follow.GrowingFile;
import io.metricsaggregator.imports.follow.PipedInput;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The file of another tool that {@code produce} publishes, and how long it is followed. */
@OptionGroup.In(OptionGroup.LOAD)
final class FileOptions {
    /** Formats of one record a line, which tools append while they run. */
    static final List<String> FOLLOWED = List.of("aiperf", "aiperf-raw", "k6", "vegeta", "endpoints");

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            description =
                    "Publish the requests of FILE, with their own times, in place of a synthetic benchmark: aiperf,"
                            + " aiperf-raw, k6, vegeta, endpoints; auto recognises it by the first line.")
    private @Nullable String from;

    @Needs("--from")
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "With --from: a file, a named pipe, or - for standard input. A pipe is read until its writer closes it.")
    private @Nullable String file;

    @Needs("--from")
    @Option(
            names = "--follow",
            description =
                    "Wait for FILE, and read on as it grows: until Ctrl-C or SIGTERM, --until-idle or --until-exit.")
    private boolean isFollowed;

    @Needs("--from")
    @Option(
            names = "--until-idle",
            paramLabel = "TIME",
            description = "End when FILE has not grown for TIME after its first bytes. Default: never.")
    private @Nullable Duration untilIdle;

    @Needs("--from")
    @Option(
            names = "--until-exit",
            paramLabel = "PID",
            description = "End when the process PID has ended and FILE is read. Default: never.")
    private @Nullable Long untilExit;

    @Mixin
    private ImportFormatOptions formatOptions = new ImportFormatOptions();

    /** Whether a file is published. */
    boolean areGiven() {
        return from != null;
    }

    /** The file's name, as given. */
    String name() {
        return file == null ? "-" : file;
    }

    /**
     * The format that was named; null for {@code auto}.
     *
     * @throws IllegalArgumentException if it is none that can be followed
     */
    @Nullable
    ImportFormat format() {
        String name = from == null ? "auto" : from.toLowerCase(Locale.ROOT);
        if (name.equals("auto")) {
            return null;
        }
        ImportFormat format = Formats.named(name);
        if (format == null || !FOLLOWED.contains(name)) {
            throw new IllegalArgumentException("--from " + from
                    + (format == null
                            ? " is not a format"
                            : " cannot be published while it is written: the tool writes it at the end; use import")
                    + "; the formats are "
                    + String.join(", ", FOLLOWED));
        }
        return format;
    }

    /** How the format reads. */
    ImportOptions importOptions() {
        return new ImportOptions(
                ImportOptions.ALL_PARTS,
                ImportOptions.Warmup.UNTRACKED,
                ImportOptions.End.HEADLINE,
                true,
                null,
                formatOptions.values());
    }

    /**
     * Opens the file.
     *
     * @param idle called while nothing can be read
     * @param notes receives a sentence for each truncation or replacement of the file
     * @throws IOException if it does not exist and is not followed
     */
    FollowedInput open(Idle idle, Consumer<String> notes) throws IOException {
        if (file == null) {
            throw new IllegalArgumentException("--from needs a FILE; -: standard input");
        }
        FollowedInput.Watch watch = new FollowedInput.Watch() {
            @Override
            public void idle() throws IOException {
                idle.idle();
            }

            @Override
            public boolean hasEnded() {
                return !isFollowed
                        || (untilExit != null && !ProcessHandle.of(untilExit).isPresent());
            }
        };
        long idleNanos = untilIdle == null ? 0 : untilIdle.toNanos();
        if (file.equals("-")) {
            return new PipedInput(() -> System.in, piped(watch), idleNanos);
        }
        Path path = Path.of(file);
        if (Files.isDirectory(path)) {
            throw new IOException(file + " is a directory: name the file in it");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            return new PipedInput(() -> Files.newInputStream(path), piped(watch), idleNanos);
        }
        if (!isFollowed && !Files.exists(path)) {
            throw new NoSuchFileException(file);
        }
        return new GrowingFile(path, watch, idleNanos, notes);
    }

    /** A pipe ends with its writer: that nothing is there now is no end. */
    private FollowedInput.Watch piped(FollowedInput.Watch watch) {
        return new FollowedInput.Watch() {
            @Override
            public void idle() throws IOException {
                watch.idle();
            }

            @Override
            public boolean hasEnded() {
                return untilExit != null && watch.hasEnded();
            }
        };
    }

    /** What happens while nothing can be read. */
    interface Idle {
        void idle() throws IOException;
    }
}
