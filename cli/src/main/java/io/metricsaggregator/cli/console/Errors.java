package io.metricsaggregator.cli.console;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.options.Messages;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reports errors on standard error: one line with the cause, and one with the usage if the arguments are wrong. */
public final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final String PREFIX = "metrics-aggregator: ";
    /** The logger of the objects, where lines are such. */
    private static final String LOGGER = "metrics-aggregator";

    private static final int MAX_LENGTH = 1000;

    /** Words that newcomers try as commands, and what they look for. */
    private static final Map<String, String> LIKELY = Map.ofEntries(
            Map.entry("version|ver|about", "--version"),
            Map.entry("usage|commands|list|man|info", "--help"),
            Map.entry("start|serve|server|daemon|listen|aggregate|collect|record", "run"),
            Map.entry("diff|cmp", "compare"),
            Map.entry("show|view|print|summary|results?|html|render", "report"),
            Map.entry("top|ui|tui|live|dashboard|monitor|web|page", "watch"),
            Map.entry("follow|subscribe|logs?", "tail"),
            Map.entry("health|status|ping|ready|alive", "healthcheck"),
            Map.entry("keygen|genkey|key|curve", "curve-key"),
            Map.entry("publish|generate|load|bench|benchmark|send", "produce"),
            Map.entry("mock|fake|stub|synthetic", "serve-synthetic"),
            Map.entry("recompute|analy[sz]e|whatif|what-if", "replay"),
            Map.entry("combine|join|sum", "merge"),
            Map.entry("convert|dump", "export"),
            Map.entry("read|ingest", "import"),
            Map.entry("host|node|sample", "agent"),
            Map.entry("check|validate|verify|test", "check-producer"));

    private static final Pattern VALUES =
            Pattern.compile("expected one of \\[([A-Z0-9_, ]+)\\] \\(case-insensitive\\) but was ");

    private final UnaryOperator<String> locate;

    /**
     * Creates the handler of a command.
     *
     * @param locate adds to a message the sources of the options that it names
     */
    public Errors(UnaryOperator<String> locate) {
        this.locate = locate;
    }

    /** Reports wrong arguments, and the usage; returns the exit status. */
    @Override
    public int handleParseException(CommandLine.ParameterException error, String[] arguments) {
        return usage(misspelt(error, arguments));
    }

    /** The error of an option that does not exist, if there is one: a misspelt option is missing, too. */
    private static CommandLine.ParameterException misspelt(CommandLine.ParameterException error, String[] arguments) {
        if (!(error instanceof CommandLine.MissingParameterException)) {
            return error;
        }
        CommandLine all = error.getCommandLine();
        while (true) {
            all.getCommandSpec().parser().collectErrors(true);
            if (all.getParent() == null) {
                break;
            }
            all = all.getParent();
        }
        CommandLine.ParseResult parsed = all.parseArgs(arguments);
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return parsed.errors().stream()
                .filter(CommandLine.UnmatchedArgumentException.class::isInstance)
                .map(CommandLine.UnmatchedArgumentException.class::cast)
                .filter(each -> each.getUnmatched().stream().anyMatch(text -> text.startsWith("-")))
                .<CommandLine.ParameterException>map(each -> each)
                .findFirst()
                .orElse(error);
    }

    private int usage(CommandLine.ParameterException error) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        String message = Printable.escape(locate.apply(message(error)), MAX_LENGTH);
        String likely = likely(error);
        String synopsis = command.getHelp().abbreviatedSynopsis().strip();
        if (Logging.isJson()) {
            Map<String, Object> facts = facts(ExitStatus.USAGE);
            List<String> similar = likely != null
                    ? List.of(likely)
                    : error instanceof CommandLine.UnmatchedArgumentException unmatched
                            ? unmatched.getSuggestions()
                            : List.of();
            if (!similar.isEmpty()) {
                facts.put("did_you_mean", similar);
            }
            facts.put("usage", synopsis);
            err.print(JsonLogLine.of(System.currentTimeMillis(), "ERROR", LOGGER, message, facts));
            err.flush();
            return ExitStatus.USAGE.code();
        }
        err.println(PREFIX + message);
        if (likely != null) {
            err.println("Did you mean: " + error.getCommandLine().getCommandName() + " " + likely + "?");
        } else {
            CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
        }
        err.println("Usage: " + synopsis + "  (" + command.getCommandSpec().qualifiedName() + " --help for details)");
        err.flush();
        return ExitStatus.USAGE.code();
    }

    /** Reports a cause on one line, as text or as an object like those of the log; returns the exit status. */
    public static int report(PrintWriter err, String message, ExitStatus status) {
        if (Logging.isJson()) {
            err.print(JsonLogLine.of(System.currentTimeMillis(), "ERROR", LOGGER, message, facts(status)));
            err.flush();
        } else {
            err.println(PREFIX + message);
        }
        return status.code();
    }

    private static Map<String, Object> facts(ExitStatus status) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("exit_status", status.code());
        return facts;
    }

    /** The command or option that a word in the place of a command stands for; null if it is not known. */
    private static @Nullable String likely(CommandLine.ParameterException error) {
        if (!(error instanceof CommandLine.UnmatchedArgumentException unmatched)
                || error.getCommandLine().getSubcommands().isEmpty()
                || unmatched.getUnmatched().isEmpty()) {
            return null;
        }
        String word = unmatched.getUnmatched().get(0).toLowerCase(Locale.ROOT);
        return LIKELY.entrySet().stream()
                .filter(each -> word.matches(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
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
        // picocli names the constants of an enum; help and documents write values in lower case.
        Matcher values = VALUES.matcher(text);
        return Messages.plain(values.replaceAll(found ->
                Matcher.quoteReplacement("expected one of " + found.group(1).toLowerCase(Locale.ROOT) + " but was ")));
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.names()[0] + " " + option.paramLabel()
                : argument.paramLabel();
    }

    /** Reports a failed command as {@link #report(Exception, PrintWriter)} does, or the usage; returns the exit status. */
    @Override
    public int handleExecutionException(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
        return error instanceof CommandLine.ParameterException wrong ? usage(wrong) : report(error, command.getErr());
    }

    /** Reports a failure on one line, with a stack trace only for internal errors and {@code -v}; returns the exit status. */
    public int report(Exception error, PrintWriter err) {
        StandardOutput.FailedException output = StandardOutput.FailedException.in(error);
        if (output != null) {
            // The end of the process reports it.
            return output.isClosedByReader() ? CommandLine.ExitCode.OK : ExitStatus.UNAVAILABLE.code();
        }
        if (error instanceof IOException || error instanceof java.io.UncheckedIOException) {
            return report(err, locate.apply(Messages.of(error)), ExitStatus.UNAVAILABLE);
        }
        if (error instanceof IllegalArgumentException) {
            return report(err, locate.apply(Messages.of(error)), ExitStatus.USAGE);
        }
        int status = report(
                err,
                "internal error: " + Messages.of(error)
                        + (Logging.isVerbose() ? "" : ". Run again with -v for the stack trace, and report it"),
                ExitStatus.INTERNAL);
        if (Logging.isVerbose()) {
            error.printStackTrace(err);
        }
        return status;
    }
}
