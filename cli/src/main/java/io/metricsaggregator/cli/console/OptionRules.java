package io.metricsaggregator.cli.console;

import io.metricsaggregator.options.Needs;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IAnnotatedElement;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Rules of every command that picocli does not check: no value is empty, and each option is given with one that it {@link Needs}. */
public final class OptionRules {
    private OptionRules() {}

    /** Checks the arguments, then runs the command. */
    public static int execute(ParseResult parsed) {
        check(parsed);
        return new CommandLine.RunLast().execute(parsed);
    }

    /**
     * Checks the arguments, unless they ask for help.
     *
     * @throws ParameterException if they break a rule
     */
    public static void check(ParseResult parsed) {
        ParseResult command = parsed;
        while (command.hasSubcommand()) {
            command = command.subcommand();
        }
        if (!command.isUsageHelpRequested() && !command.isVersionHelpRequested()) {
            checkOptions(command);
        }
    }

    private static void checkOptions(ParseResult command) {
        CommandLine line = command.commandSpec().commandLine();
        if (!command.unmatched().isEmpty()) {
            // Picocli accepts them beside an option that is help, such as --print-config.
            throw new CommandLine.UnmatchedArgumentException(line, command.unmatched());
        }
        for (ArgSpec argument : command.matchedArgs()) {
            if (argument.originalStringValues().stream().anyMatch(String::isBlank)) {
                throw new ParameterException(line, name(argument) + " is empty");
            }
        }
        for (OptionSpec option : command.matchedOptions()) {
            Needs needs = needs(command.commandSpec(), option);
            if (needs != null && Arrays.stream(needs.value()).noneMatch(each -> isGiven(command, each))) {
                throw new ParameterException(
                        line,
                        option.names()[0] + " has no effect without "
                                + Arrays.stream(needs.value())
                                        .map(each -> documented(command.commandSpec(), each))
                                        .collect(Collectors.joining(" or ")));
            }
        }
    }

    private static @Nullable Needs needs(CommandSpec command, OptionSpec option) {
        if (option.userObject() instanceof AnnotatedElement element && element.isAnnotationPresent(Needs.class)) {
            return element.getAnnotation(Needs.class);
        }
        for (var each : command.mixinAnnotatedElements().entrySet()) {
            IAnnotatedElement mixin = each.getValue();
            CommandSpec options = command.mixins().get(each.getKey());
            if (mixin.isAnnotationPresent(Needs.class)
                    && options != null
                    && options.optionsMap().containsKey(option.names()[0])) {
                return mixin.getAnnotation(Needs.class);
            }
        }
        return null;
    }

    private static boolean isGiven(ParseResult command, String need) {
        int equals = need.indexOf('=');
        if (equals < 0) {
            return command.hasMatchedOption(need);
        }
        OptionSpec option = command.commandSpec().findOption(need.substring(0, equals));
        String value = option == null ? "" : String.valueOf(option.<Object>getValue());
        return value.toLowerCase(Locale.ROOT).equals(need.substring(equals + 1));
    }

    /** An option as a user writes it, with the name of its value; those that the command lacks are written as they are. */
    private static String documented(CommandSpec command, String need) {
        OptionSpec option = command.findOption(need);
        return option == null || option.arity().max() == 0 ? need.replace('=', ' ') : need + " " + option.paramLabel();
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.names()[0] : argument.paramLabel();
    }
}
