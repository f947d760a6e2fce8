package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.daemon.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a command says when it cannot go on: a line that says what is wrong, and one on how it is called where that is the question. */
final class Errors {
    private static final String PREFIX = "metrics-aggregator: ";
    private static final int MAX_LENGTH = 1000;

    private Errors() {}

    /** The arguments are wrong. */
    static int usage(CommandLine.ParameterException error, String[] arguments) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(PREFIX + Printable.escape(message(error), MAX_LENGTH));
        CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
        err.println("Usage: " + command.getHelp().abbreviatedSynopsis().strip() + "  ("
                + command.getCommandSpec().qualifiedName() + " --help says more)");
        err.flush();
        return ExitStatus.USAGE.code();
    }

    /** What picocli says, with each option by the name that the documentation has: picocli takes the longest. */
    private static String message(CommandLine.ParameterException error) {
        if (error instanceof CommandLine.MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            return missing.getMissing().stream().map(Errors::name).collect(Collectors.joining(", "))
                    + (missing.getMissing().size() == 1 ? " is missing" : " are missing");
        }
        String text = String.valueOf(error.getMessage());
        for (OptionSpec option : error.getCommandLine().getCommandSpec().options()) {
            String documented = option.names()[0];
            if (documented.startsWith("--") && !option.longestName().equals(documented)) {
                text = text.replace(option.longestName(), documented);
            }
        }
        return Messages.plain(text);
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.names()[0] + " " + option.paramLabel()
                : argument.paramLabel();
    }

    /** A command could not do what it was asked for; only what nobody has thought of comes with more than a line. */
    static int execution(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (error instanceof CommandLine.ParameterException wrong) {
            return usage(wrong, new String[0]);
        }
        if (error instanceof IOException || error instanceof java.io.UncheckedIOException) {
            err.println(PREFIX + Messages.of(error));
            return ExitStatus.UNAVAILABLE.code();
        }
        if (error instanceof IllegalArgumentException) {
            err.println(PREFIX + Messages.of(error));
            return ExitStatus.USAGE.code();
        }
        err.println(PREFIX + "an internal error: " + Messages.of(error)
                + (Logging.isVerbose() ? "" : ". With -v it says where; please report it"));
        if (Logging.isVerbose()) {
            error.printStackTrace(err);
        }
        return ExitStatus.INTERNAL.code();
    }
}
