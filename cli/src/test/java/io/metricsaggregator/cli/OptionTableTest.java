package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final Path TABLE = Path.of("src/main/resources/io/metricsaggregator/cli/console/run.options");

    private static final List<String> VALUES =
            List.of("7", "5s", "1m", "0.5", "ipc:///tmp/a", "a=b", "ttft=1s", "results/x", "64MiB");

    /** To rewrite the table: {@code mvn -pl cli -am test -Dtest=OptionTableTest -Doptions.write=true}. */
    @Test
    void the_table_of_run_is_made_from_its_annotations() throws IOException {
        CommandSpec run = annotated().getCommandSpec();
        assertThat(run.argGroups()).as("groups have no column").isEmpty();
        assertThat(run.positionalParameters()).isEmpty();
        String expected =
                run.options().stream().map(option -> line(run, option)).collect(Collectors.joining("\n", "", "\n"));
        if (Boolean.getBoolean("options.write")) {
            Files.createDirectories(Objects.requireNonNull(TABLE.getParent()));
            Files.writeString(TABLE, expected);
        }
        assertThat(TABLE).as("rewrite it with -Doptions.write=true").content().isEqualTo(expected);
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
        boolean takenOver = !option.help() && !option.usageHelp() && !option.versionHelp();
        return String.join(
                "\t",
                String.join(" ", option.names()),
                takenOver && option.userObject() instanceof Field field
                        ? Objects.requireNonNullElse(path(run.userObject().getClass(), field), "-")
                        : "-",
                option.arity().toString(),
                option.paramLabel(),
                option.converters().length == 0
                        ? "-"
                        : option.converters()[0].getClass().getName(),
                Objects.requireNonNullElse(option.defaultValue(), "-"),
                String.valueOf(option.required()),
                String.valueOf(option.userObject() instanceof Field field && field.isAnnotationPresent(Needs.class)));
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
            String[] arguments = arguments(options, random);
            CommandLine byTable = Main.runFromTable();
            try {
                byTable.parseArgs(arguments);
            } catch (CommandLine.ParameterException e) {
                continue;
            }
            CommandLine byAnnotations = Main.commands("run");
            byAnnotations.parseArgs(arguments);
            assertThat(values(run(byTable)))
                    .as("%s", Arrays.toString(arguments))
                    .isEqualTo(values(run(byAnnotations)));
            parsed++;
        }
        assertThat(parsed).as("command lines that the table parsed").isGreaterThan(30);
    }

    private static Object run(CommandLine commands) {
        return Objects.requireNonNull(commands.getSubcommands().get("run")).getCommand();
    }

    /** Some options with values that fit and, at times, do not. */
    private static String[] arguments(List<OptionSpec> options, Random random) {
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
        return arguments.toArray(new String[0]);
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
