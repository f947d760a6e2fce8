package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.daemon.ExitStatus;
import io.metricsaggregator.options.Messages;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reports errors on standard error: one line with the cause, and one with the usage if the arguments are wrong. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final String PREFIX = "metrics-aggregator: ";
    private static final int MAX_LENGTH = 1000;

    /** Reports wrong arguments, and the usage; returns the exit status. */
    @Override
    public int handleParseException(CommandLine.ParameterException error, String[] arguments) {
        return usage(error);
    }

    private static int usage(CommandLine.ParameterException error) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(PREFIX + Printable.escape(message(error), MAX_LENGTH));
        CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
        err.println("Usage: " + command.getHelp().abbreviatedSynopsis().strip() + "  ("
                + command.getCommandSpec().qualifiedName() + " --help for details)");
        err.flush();
        return ExitStatus.USAGE.code();
    }

    /** The message of picocli, with each option by its documented name instead of its longest one. */
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

    /** Reports a failed command on one line, with a stack trace only for internal errors and {@code -v}; returns the exit status. */
    @Override
    public int handleExecutionException(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (error instanceof CommandLine.ParameterException wrong) {
            return usage(wrong);
        }
        StandardOutput.FailedException output = StandardOutput.FailedException.in(error);
        if (output != null) {
            // The end of the process reports it.
            return output.isClosedByReader() ? CommandLine.ExitCode.OK : ExitStatus.UNAVAILABLE.code();
        }
        if (error instanceof IOException || error instanceof java.io.UncheckedIOException) {
            err.println(PREFIX + Messages.of(error));
            return ExitStatus.UNAVAILABLE.code();
        }
        if (error instanceof IllegalArgumentException) {
            err.println(PREFIX + Messages.of(error));
            return ExitStatus.USAGE.code();
        }
        err.println(PREFIX + "internal error: " + Messages.of(error)
                + (Logging.isVerbose() ? "" : ". Run again with -v for the stack trace, and report it"));
        if (Logging.isVerbose()) {
            error.printStackTrace(err);
        }
        return ExitStatus.INTERNAL.code();
    }
}
