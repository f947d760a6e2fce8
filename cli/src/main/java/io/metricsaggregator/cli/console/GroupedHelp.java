package io.metricsaggregator.cli.console;

import io.metricsaggregator.options.OptionGroup;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help with the options of a command under the headings of {@link OptionGroup}. Commands with many options list the {@link Usual} ones, and
 * the others with {@code --help-all}. Lines break at spaces only, so a value such as an address stays whole.
 *
 * <p>The groups exist only for help. Options that are parsed within a picocli group reset the whole group when one of them is given twice,
 * and picocli does not check that a required one is there.
 */
public final class GroupedHelp implements IHelpFactory {
    /** The option that lists all options of a command. */
    public static final String EVERYTHING = "--help-all";

    private static final int WIDTH = 80;
    /** The columns that picocli's layout leaves for the description of an option, and of a command in the list of commands. */
    private static final int OPTION_WIDTH = 51;

    private static final int COMMAND_WIDTH = 60;
    private static final String TESTING_HEADING = "To test programs of others, or stand in for them:";
    private static final Pattern FIRST_SENTENCE = Pattern.compile("^.*?[.](?= (?:[A-Z]|--)|$)");
    private static final Pattern DEFAULT = Pattern.compile("Default: .*?\\.(?= |$)");

    /** The options that {@code --help} of a command lists, in this order; {@code --help-all} lists every one. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Usual {
        /** Names of options, such as {@code --in}. */
        String[] value();
    }

    /** A command that tests programs of others, or stands in for them: it comes after the other commands. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Testing {}

    private final boolean isEverything;

    /** Help with the usual options of each command, or with all of them. */
    public GroupedHelp(boolean isEverything) {
        this.isEverything = isEverything;
    }

    @Override
    public Help create(CommandSpec command, Help.ColorScheme colours) {
        if (!command.argGroups().isEmpty()) {
            // Man pages, and the second help of one command: its options are in groups.
            return new Help(command, colours);
        }
        if (command.subcommands().isEmpty()) {
            command.usageMessage().customSynopsis(synopsis(command));
        }
        Usual usual = command.userObject().getClass().getAnnotation(Usual.class);
        boolean isAbridged = usual != null && !isEverything;
        if (usual != null && isAbridged) {
            abridge(command, usual.value());
        }
        breakAtSpaces(command);
        if (!isAbridged) {
            group(command);
        }
        return new Help(command, colours) {
            @Override
            public String commandList(Map<String, Help> commands) {
                StringBuilder own = new StringBuilder();
                StringBuilder others = new StringBuilder();
                commands.forEach((name, help) -> {
                    Class<?> type = help.commandSpec().userObject().getClass();
                    list(type.isAnnotationPresent(Testing.class) ? others : own, name, help);
                });
                return others.isEmpty() ? own.toString() : own + TESTING_HEADING + System.lineSeparator() + others;
            }
        };
    }

    private static void list(StringBuilder to, String name, Help help) {
        String[] description = help.commandSpec().usageMessage().description();
        String text = firstSentence(String.join(" ", description).strip());
        String[] lines = lines(text, COMMAND_WIDTH, "  ");
        for (int i = 0; i < lines.length; i++) {
            to.append("  %-18s%s%n".formatted(i == 0 ? name : "", lines[i].replace("%%", "%")));
        }
    }

    /** Leaves the named options, each with what it does and its default. */
    private static void abridge(CommandSpec command, String[] names) {
        List<OptionSpec> kept = Stream.concat(Stream.of(names), Stream.of("--help", EVERYTHING, "--version"))
                .map(command::findOption)
                .filter(Objects::nonNull)
                .toList();
        List.copyOf(command.options()).forEach(command::remove);
        for (OptionSpec option : kept) {
            String text = description(option);
            Matcher value = DEFAULT.matcher(text);
            String brief = firstSentence(text);
            command.addOption(OptionSpec.builder(option)
                    .description(escaped(
                            value.find() && !brief.contains(value.group()) ? brief + " " + value.group() : brief))
                    .build());
        }
        List<String> footer = new ArrayList<>(Stream.of(command.usageMessage().footer())
                .filter(line -> line.startsWith("Example"))
                .toList());
        footer.add(0, "");
        footer.add("All options: " + command.qualifiedName() + " " + EVERYTHING);
        command.usageMessage().footer(footer.toArray(new String[0]));
    }

    /** Moves the options of a command into its groups. The command must not parse arguments afterwards; a second call does nothing. */
    public static void group(CommandSpec command) {
        // Groups of the program itself would be added once more to the commands that inherit its options.
        if (!command.argGroups().isEmpty() || !command.subcommands().isEmpty()) {
            return;
        }
        Map<OptionGroup, List<OptionSpec>> groups = new EnumMap<>(OptionGroup.class);
        for (OptionSpec option : List.copyOf(command.options())) {
            OptionGroup group = groupOf(option);
            if (group != null) {
                groups.computeIfAbsent(group, any -> new ArrayList<>()).add(option);
            }
        }
        groups.forEach((group, options) -> {
            ArgGroupSpec.Builder builder = ArgGroupSpec.builder()
                    .validate(false)
                    .order(group.ordinal())
                    .heading("%n" + group.heading() + ":%n");
            for (OptionSpec option : options) {
                command.remove(option);
                builder.addArg(option);
            }
            command.addArgGroup(builder.build());
        });
    }

    private static @Nullable OptionGroup groupOf(OptionSpec option) {
        if (!(option.userObject() instanceof Member member) || !(member instanceof AnnotatedElement element)) {
            return null;
        }
        OptionGroup.In own = element.getAnnotation(OptionGroup.In.class);
        if (own == null) {
            own = member.getDeclaringClass().getAnnotation(OptionGroup.In.class);
        }
        return own == null ? null : own.value();
    }

    /** The command in one line: what it requires, and its arguments. */
    public static String synopsis(CommandSpec command) {
        List<String> words = new ArrayList<>(List.of(command.qualifiedName()));
        for (OptionSpec option : command.options()) {
            if (option.required()) {
                words.add(option.names()[0] + "=" + option.paramLabel());
            }
        }
        words.add("[OPTION...]");
        command.positionalParameters().forEach(parameter -> {
            String label = parameter.paramLabel();
            String repeated = parameter.arity().max() > 1 || parameter.isMultiValue() ? label + "..." : label;
            words.add(parameter.arity().min() > 0 ? repeated : "[" + repeated + "]");
        });
        return String.join(" ", words);
    }

    /** What an option or argument says of itself, with its default and its values in place. */
    public static String description(ArgSpec argument) {
        String value = argument.defaultValue() == null ? argument.defaultValueString() : argument.defaultValue();
        Iterable<String> values = argument.completionCandidates();
        return String.join(" ", argument.description())
                .replace("${DEFAULT-VALUE}", String.valueOf(value))
                .replace("${COMPLETION-CANDIDATES}", values == null ? "" : String.join(", ", values));
    }

    /** A text as a format: picocli hands out texts that it has formatted. */
    private static String escaped(String text) {
        return text.replace("%", "%%").replace("\n", "%n");
    }

    private static String firstSentence(String text) {
        Matcher sentence = FIRST_SENTENCE.matcher(text);
        return sentence.find() ? sentence.group() : text;
    }

    /** Breaks every text in lines itself: picocli would also break within a value. */
    private static void breakAtSpaces(CommandSpec command) {
        UsageMessageSpec usage = command.usageMessage();
        usage.description(lines(String.join("%n", usage.description()), WIDTH, ""));
        usage.footer(lines(String.join("%n", usage.footer()), WIDTH, ""));
        if (!command.subcommands().isEmpty()) {
            return;
        }
        for (OptionSpec option : List.copyOf(command.options())) {
            if (option.group() == null) {
                command.remove(option);
                command.addOption(OptionSpec.builder(option)
                        .description(lines(escaped(description(option)), OPTION_WIDTH, "  "))
                        .build());
            }
        }
        for (PositionalParamSpec parameter : List.copyOf(command.positionalParameters())) {
            command.remove(parameter);
            command.addPositional(PositionalParamSpec.builder(parameter)
                    .description(lines(escaped(description(parameter)), OPTION_WIDTH, "  "))
                    .build());
        }
    }

    /**
     * The lines of a text.
     *
     * @param text a format of picocli, in which {@code %n} ends a line
     * @param width the longest line, in characters; a longer word has a line of its own
     * @param indent what further lines of a broken one begin with
     */
    private static String[] lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        for (String each : text.split("%n", -1)) {
            String line = each;
            while (line.length() > width) {
                int end = line.lastIndexOf(' ', width);
                if (end <= indent.length()) {
                    end = line.indexOf(' ', width);
                }
                if (end < 0) {
                    break;
                }
                lines.add(line.substring(0, end));
                line = indent + line.substring(end + 1);
            }
            lines.add(line);
        }
        return lines.toArray(new String[0]);
    }
}
