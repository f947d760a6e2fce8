package io.metricsaggregator.cli;

import io.metricsaggregator.cli.options.Endpoints;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Parses a command line with arguments separated by newlines: it is accepted or rejected with a message. No command is run. */
public final class CommandLineTarget {
    private CommandLineTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        String[] arguments = new String(input, StandardCharsets.UTF_8).split("\n", -1);
        try {
            Main.commands(arguments.length == 0 ? "" : arguments[0]).parseArgs(arguments);
        } catch (CommandLine.ParameterException e) {
            refused(e);
        }
        for (String argument : arguments) {
            try {
                Endpoints.parse("--in", java.util.List.of(argument), true);
            } catch (IllegalArgumentException e) {
                refused(e);
            }
        }
    }

    private static void refused(RuntimeException e) {
        if (e.getMessage() == null || e.getMessage().isBlank()) {
            throw new IllegalStateException("rejected without a message", e);
        }
    }
}
