package io.metricsaggregator.dist;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish: one {@code complete} line for each command and each of its options. picocli generates none for fish. */
final class FishCompletion {
    private final StringBuilder out = new StringBuilder(16_384);
    private final String program;

    private FishCompletion(String program) {
        this.program = program;
    }

    /** The completion script of a program with one level of sub-commands. */
    static String of(CommandLine commands) {
        FishCompletion completion = new FishCompletion(commands.getCommandName());
        CommandSpec top = commands.getCommandSpec();
        top.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> completion.option("__fish_use_subcommand", option));
        commands.getSubcommands().forEach((name, command) -> {
            CommandSpec spec = command.getCommandSpec();
            completion.line(
                    "__fish_use_subcommand",
                    "-f -a " + name + described(spec.usageMessage().description()));
            spec.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> completion.option("__fish_seen_subcommand_from " + name, option));
        });
        return completion.out.toString();
    }

    private void option(String condition, OptionSpec option) {
        StringBuilder arguments = new StringBuilder();
        for (String name : option.names()) {
            if (name.startsWith("--")) {
                arguments.append(" -l ").append(name.substring(2));
            } else {
                arguments.append(name.length() == 2 ? " -s " : " -o ").append(name.substring(1));
            }
        }
        if (option.arity().max() > 0) {
            arguments.append(" -r");
            if (option.completionCandidates() != null) {
                arguments.append(" -f -a '");
                option.completionCandidates()
                        .forEach(value ->
                                arguments.append(value.toLowerCase(Locale.ROOT)).append(' '));
                arguments.setCharAt(arguments.length() - 1, '\'');
            }
        }
        line(condition, arguments.substring(1) + described(option.description()));
    }

    private void line(String condition, String arguments) {
        out.append("complete -c ")
                .append(program)
                .append(" -n '")
                .append(condition)
                .append("' ")
                .append(arguments)
                .append('\n');
    }

    /** The first sentence of a description, quoted; nothing where there is none. */
    private static String described(String[] description) {
        if (description.length == 0) {
            return "";
        }
        String plain = CommandLine.Help.Ansi.OFF.string(
                description[0].replace("%n", " ").replace("%%", "%"));
        int end = plain.indexOf(". ");
        String first = end < 0 ? plain : plain.substring(0, end);
        return " -d '" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
