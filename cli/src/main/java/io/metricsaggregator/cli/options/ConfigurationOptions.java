package io.metricsaggregator.cli.options;

import io.metricsaggregator.options.OptionGroup;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Sources of settings beside the command line of {@code run}. {@link Configuration} applies them before the options are parsed. */
@OptionGroup.In(OptionGroup.CONFIGURATION)
public final class ConfigurationOptions {
    @SuppressWarnings("UnusedVariable") // help and parsing only: Configuration reads it before the command runs
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "File of settings, one NAME = VALUE per line, where NAME is a long option without its dashes. Precedence:"
                            + " command line, environment (METRICS_AGGREGATOR_NAME), FILE, default.")
    private @Nullable Path file;

    // Help, as far as picocli is concerned: settings may be printed before those that a run requires are there.
    @Option(
            names = "--print-config",
            help = true,
            description = "Check every setting as a run would, print it with its value and source, in the format of"
                    + " --config, and exit. A required setting may be missing.")
    private boolean print;

    private @Nullable Configuration configuration;

    /** Sets what {@code --print-config} prints. */
    public void use(Configuration settings) {
        configuration = settings;
    }

    /** Whether the settings are printed instead of a run. */
    public boolean isPrinted() {
        return print;
    }

    /** Prints the settings. */
    public void print(PrintWriter out) {
        if (configuration != null) {
            configuration.print(out);
        }
    }
}
