package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.console.OptionRules;
import io.metricsaggregator.cli.daemon.RunCommand;
import io.metricsaggregator.cli.options.OptionTable;
import io.metricsaggregator.options.Needs;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Checks that the table of {@code run} is the one of its annotations, and that both parse alike. */
class OptionTableTest {
    private static final Path TABLE = Path.of("src/main/java/io/metricsaggregator/cli/daemon/RunOptions.java");
    private static final String QUOTES = "\"\"\"";

    private static final List<String> VALUES = List.of(
            "7", "5s", "1m", "0.5", "ipc:///tmp/a", "a=b", "ttft=1s", "results/x", "64MiB", "${HOME}/x", "a b", "007");

    /** To rewrite the table: {@code mvn -pl cli -am test -Dtest=OptionTableTest -Doptions.write=true}. */
    @Test
    void the_table_of_run_is_made_from_its_annotations() throws IOException {
        CommandSpec run = annotated().getCommandSpec();
        assertThat(run.argGroups()).as("groups have no column").isEmpty();
        assertThat(run.positionalParameters()).isEmpty();
        assertThat(run.mixinAnnotatedElements().values())
                .as("what all options of a mixin need has no column")
                .noneMatch(each -> each.isAnnotationPresent(Needs.class));
        String expected = run.options().stream()
                .map(option -> "            " + line(run, option) + "\n")
                .collect(Collectors.joining());
        String source = Files.readString(TABLE);
        int from = source.indexOf(QUOTES) + QUOTES.length() + 1;
        int end = source.indexOf("            " + QUOTES, from);
        if (Boolean.getBoolean("options.write")) {
            Files.writeString(TABLE, source.substring(0, from) + expected + source.substring(end));
        }
        assertThat(source.substring(from, end))
                .as("rewrite it with -Doptions.write=true")
                .isEqualTo(expected);
    }

    private static CommandLine annotated() {
        return Objects.requireNonNull(Main.commands("run").getSubcommands().get("run"));
    }

    @SuppressWarnings("deprecation") // help: picocli has no other word for an option that needs no required one
    private static String line(CommandSpec run, OptionSpec option) {
        assertThat(option.negatable() || !option.splitRegex().isEmpty() || option.parameterConsumer() != null)
                .as("%s has something without a column", option)
                .isFalse();
        assertThat(option.converters()).hasSizeLessThan(2);
        assertThat(option.arity().max()).isLessThan(2);
        boolean takenOver = !option.help() && !option.usageHelp() && !option.versionHelp();
        return String.join(
                ";",
                String.join(" ", option.names()),
                takenOver && option.userObject() instanceof Field field
                        ? Objects.requireNonNullElse(path(run.userObject().getClass(), field), "-")
                        : "-",
                String.valueOf(option.arity().max() > 0),
                String.valueOf(option.isMultiValue()),
                option.paramLabel(),
                option.converters().length == 0
                        ? "-"
                        : option.converters()[0].getClass().getName(),
                Objects.requireNonNullElse(option.defaultValue(), "-"),
                String.valueOf(option.required()),
                option.userObject() instanceof Field field && field.isAnnotationPresent(Needs.class)
                        ? String.join(" ", field.getAnnotation(Needs.class).value())
                        : "-");
    }

    /** The names of the members from the command to the field; null if it is not the command's. */
    private static @Nullable String path(Class<?> from, Field to) {
        if (to.getDeclaringClass().isAssignableFrom(from)) {
            return to.getName();
        }
        return Arrays.stream(from.getDeclaredFields())
                .filter(each -> each.isAnnotationPresent(Mixin.class))
                .map(each -> {
                    String rest = path(each.getType(), to);
                    return rest == null ? null : each.getName() + "." + rest;
                })
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Test
    void both_parse_random_arguments_to_the_same_values_or_the_table_hands_over() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<OptionSpec> options = annotated().getCommandSpec().options();
        int parsed = 0;
        for (int i = 0; i < 300; i++) {
            List<String> arguments = arguments(options, random);
            RunCommand byTable = new RunCommand();
            if (!OptionTable.parse(byTable, RunCommand.options(), arguments.subList(1, arguments.size()))) {
                continue;
            }
            CommandLine byAnnotations = Main.commands("run");
            List<String> refused = new ArrayList<>();
            byAnnotations.setExecutionStrategy(parsedArguments -> {
                OptionRules.check(parsedArguments);
                return 0;
            });
            byAnnotations.setParameterExceptionHandler((error, all) -> {
                refused.add(error.getMessage());
                return 2;
            });
            byAnnotations.execute(arguments.toArray(new String[0]));
            assertThat(refused).as("%s", arguments).isEmpty();
            assertThat(values(byTable)).as("%s", arguments).isEqualTo(values(run(byAnnotations)));
            parsed++;
        }
        assertThat(parsed).as("command lines that the table parsed").isGreaterThan(30);
    }

    private static boolean isPlain(String... arguments) {
        return OptionTable.parse(new RunCommand(), RunCommand.options(), List.of(arguments));
    }

    @Test
    void what_may_be_wrong_or_mean_more_than_it_says_is_left_to_picocli() {
        assertThat(isPlain("--output-dir=o", "--in", "ipc:///a", "--in=ipc:///b", "--strict", "--track", "ALL"))
                .isTrue();
        assertThat(isPlain("--output-dir=o", "--journal=j", "--journal-sync=1s"))
                .isTrue();
        for (String[] each : new String[][] {
            {},
            {"--help"},
            {"--output-dir"},
            {"--output-dir=o", "--strict=true"},
            {"--output-dir=o", "--strict", "--strict"},
            {"--output-dir=o", "--metrics-output-dir=o"},
            {"--output-dir=o", "--journal-sync=1s"},
            {"--output-dir=o", "--journal", "--strict"},
            {"--output-dir=o", "--journal="},
            {"--output-dir=o", "--journal=@files"},
            {"--output-dir=o", "--track=some"},
            {"--output-dir=o", "--max-jobs=1k"},
            {"--output-dir=o", "--publish-interval=soon"},
            {"--output-dir=o", "--log-level=info"},
            {"--output-dir=o", "--print-config"},
            {"--output-dir=o", "--"},
            {"--output-dir=o", "--inn=ipc:///a"},
            {"--output-dir=o", "ipc:///a"}
        }) {
            assertThat(isPlain(each)).as("%s", Arrays.toString(each)).isFalse();
        }
    }

    private static Object run(CommandLine commands) {
        return Objects.requireNonNull(commands.getSubcommands().get("run")).getCommand();
    }

    /** Some options with values that fit and, at times, do not. */
    private static List<String> arguments(List<OptionSpec> options, Random random) {
        List<String> arguments = new ArrayList<>(List.of("run", "--output-dir", "results"));
        for (int i = random.nextInt(6); i > 0; i--) {
            OptionSpec option = options.get(random.nextInt(options.size()));
            String name = option.names()[random.nextInt(option.names().length)];
            if (option.arity().max() == 0) {
                arguments.add(name);
                continue;
            }
            String value = option.type().isEnum()
                    ? String.valueOf(option.type().getEnumConstants()[0]).toLowerCase(Locale.ROOT)
                    : VALUES.get(random.nextInt(VALUES.size()));
            if (random.nextBoolean()) {
                arguments.add(name + "=" + value);
            } else {
                arguments.addAll(List.of(name, value));
            }
        }
        return arguments;
    }

    /** All options' values by the path of their fields. */
    private static Map<String, String> values(Object command) throws IllegalAccessException {
        Map<String, String> values = new TreeMap<>();
        collect("", command, values);
        return values;
    }

    private static void collect(String path, Object owner, Map<String, String> into) throws IllegalAccessException {
        for (Class<?> type = owner.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                field.setAccessible(true);
                Object value = field.get(owner);
                if (field.isAnnotationPresent(Mixin.class)) {
                    collect(path + field.getName() + ".", Objects.requireNonNull(value), into);
                } else if (field.isAnnotationPresent(Option.class)) {
                    into.put(path + field.getName(), String.valueOf(value));
                }
            }
        }
    }
}
