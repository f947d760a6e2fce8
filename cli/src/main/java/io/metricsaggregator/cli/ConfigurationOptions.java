package io.metricsaggregator.cli;

import io.metricsaggregator.options.OptionGroup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Sources of settings beside the command line of {@code run}. {@link Configuration} applies them before the options are parsed. */
@OptionGroup.In(OptionGroup.CONFIGURATION)
@SuppressWarnings("UnusedVariable") // help and parsing only: Configuration reads these before the command runs
final class ConfigurationOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "File of settings, one NAME = VALUE per line, where NAME is a long option without its dashes. Precedence:"
                            + " command line, environment (METRICS_AGGREGATOR_NAME), FILE, default.")
    private @Nullable Path file;

    @Option(
            names = "--print-config",
            description = "Print every setting with its value and source, in the format of --config, and exit.")
    private boolean print;
}
