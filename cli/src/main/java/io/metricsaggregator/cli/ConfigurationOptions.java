package io.metricsaggregator.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code run} finds settings beside its command line. {@link Configuration} applies them before the options are parsed. */
final class ConfigurationOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read settings from FILE: NAME = VALUE on a line, NAME being a long option without its dashes."
                            + " Precedence: command line, environment (METRICS_AGGREGATOR_NAME), FILE, default.")
    private @Nullable Path file;

    @Option(
            names = "--print-config",
            description =
                    "Print every setting with its value and where it comes from, in the format of --config, and exit.")
    private boolean print;
}
