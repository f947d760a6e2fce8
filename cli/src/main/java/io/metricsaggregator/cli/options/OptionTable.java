package io.metricsaggregator.cli.options;

import io.metricsaggregator.options.DurationConverter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * The options of a command in a table, so that a start with plain arguments needs neither the annotations of a hundred fields, which take a third of a
 * second to read, nor picocli. It has no help and no texts of errors: picocli takes over whatever is not plain. A test keeps the table equal to the
 * annotations, and both parsers alike. Each line, with semicolons between: names, the member that takes the value, whether a value follows, whether
 * the option can be given repeatedly, label of the value, converter, default value, whether it is required, the options of which it needs one. Not thread-safe.
 */
public final class OptionTable {
    private static final String NONE = "-";
    private static final int COLUMNS = 9;

    /**
     * An option.
     *
     * @param names the documented one first
     * @param member path of the field that takes the value; null if only picocli can act on the option, such as {@code --help}
     * @param takesValue whether a value follows
     * @param isRepeatable whether it can be given with several values
     * @param label of the value in help
     * @param converter class of a converter; null for one that follows from the type of the field
     * @param defaultValue as text; null for none
     * @param isRequired whether a command needs it
     * @param needs options of which one must be given, too; empty for none
     */
    public record Option(
            List<String> names,
            @Nullable String member,
            boolean takesValue,
            boolean isRepeatable,
            String label,
            @Nullable String converter,
            @Nullable String defaultValue,
            boolean isRequired,
            List<String> needs) {

        private static Option of(String line) {
            String[] columns = line.split(";", COLUMNS);
            return new Option(
                    List.of(columns[0].split(" ", -1)),
                    orNull(columns[1]),
                    Boolean.parseBoolean(columns[2]),
                    Boolean.parseBoolean(columns[3]),
                    columns[4],
                    orNull(columns[5]),
                    orNull(columns[6]),
                    Boolean.parseBoolean(columns[7]),
                    columns[8].equals(NONE) ? List.of() : List.of(columns[8].split(" ", -1)));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Option option && names.equals(option.names);
        }

        // Written out, since what a record does by itself takes a start 20 ms to make.
        @Override
        public int hashCode() {
            return names.hashCode();
        }

        private static @Nullable String orNull(String column) {
            return column.equals(NONE) ? null : column;
        }
    }

    /** Arguments that are not plain. */
    private static final class NotPlainException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final Object command;
    private final Map<String, Option> byName = new HashMap<>();
    private final Map<Option, List<Object>> given = new HashMap<>();

    private OptionTable(Object command) {
        this.command = command;
    }

    /** Reads a table. */
    public static List<Option> read(String table) {
        List<Option> options = new ArrayList<>();
        for (String line : table.split("\n", 0)) {
            options.add(Option.of(line));
        }
        return options;
    }

    /**
     * Sets the options of a command as picocli would.
     *
     * @param command instance with the members, as its constructor left it
     * @return whether the arguments are plain: options of the table, each once unless it is repeatable, with values that fit. If not, the command is to be
     *     discarded
     */
    public static boolean parse(Object command, List<Option> options, List<String> arguments) {
        OptionTable table = new OptionTable(command);
        try {
            for (Option option : options) {
                option.names().forEach(name -> table.byName.put(name, option));
            }
            table.read(arguments);
            for (Option option : options) {
                table.set(option);
            }
            return true;
        } catch (Exception e) {
            // Picocli finds what is wrong, and says so.
            return false;
        }
    }

    private void read(List<String> arguments) throws Exception {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            Option option = byName.get(equals < 0 ? argument : argument.substring(0, equals));
            if (option == null || option.member() == null || (!option.takesValue() && equals >= 0)) {
                throw new NotPlainException();
            }
            List<Object> values = given.computeIfAbsent(option, any -> new ArrayList<>());
            if (!values.isEmpty() && !option.isRepeatable()) {
                throw new NotPlainException();
            }
            if (option.takesValue() && equals < 0) {
                i++;
            }
            values.add(
                    option.takesValue() ? value(option, plain(arguments.get(i).substring(equals + 1))) : true);
        }
    }

    /** A value that picocli would take for nothing else, such as an option or a file of arguments. */
    private static String plain(String value) throws NotPlainException {
        if (value.isBlank() || value.startsWith("-") || value.startsWith("@") || value.startsWith("\"")) {
            throw new NotPlainException();
        }
        return value;
    }

    private void set(Option option) throws Exception {
        List<Object> values = given.get(option);
        if (values == null) {
            if (option.isRequired()) {
                throw new NotPlainException();
            }
            if (option.member() != null && option.defaultValue() != null) {
                set(option, value(option, option.defaultValue()));
            }
            return;
        }
        if (!option.needs().isEmpty()
                && option.needs().stream().noneMatch(each -> given.containsKey(byName.get(each)))) {
            throw new NotPlainException();
        }
        set(option, option.isRepeatable() ? values : values.get(0));
    }

    private void set(Option option, Object value) throws Exception {
        Object owner = owner(option);
        field(owner, lastName(option)).set(owner, value);
    }

    private Object value(Option option, String text) throws Exception {
        if (option.converter() != null) {
            Constructor<?> constructor = Class.forName(option.converter()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((ITypeConverter<?>) constructor.newInstance()).convert(text);
        }
        Field field = field(owner(option), lastName(option));
        Class<?> type = option.isRepeatable()
                ? (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0]
                : field.getType();
        if (type == String.class) {
            return text;
        } else if (type == Path.class) {
            return Path.of(text);
        } else if (type == int.class || type == Integer.class) {
            return Integer.valueOf(text);
        } else if (type == long.class || type == Long.class) {
            return Long.valueOf(text);
        } else if (type == double.class || type == Double.class) {
            return Double.valueOf(text);
        } else if (type == Duration.class) {
            return new DurationConverter().convert(text);
        }
        for (Object each : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
            if (((Enum<?>) each).name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw new NotPlainException();
    }

    private Object owner(Option option) throws ReflectiveOperationException {
        String[] path = Objects.requireNonNull(option.member()).split("\\.", -1);
        Object owner = command;
        for (int i = 0; i < path.length - 1; i++) {
            owner = Objects.requireNonNull(field(owner, path[i]).get(owner));
        }
        return owner;
    }

    private static String lastName(Option option) {
        String member = Objects.requireNonNull(option.member());
        return member.substring(member.lastIndexOf('.') + 1);
    }

    private static Field field(Object owner, String name) throws NoSuchFieldException {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            for (Field each : type.getDeclaredFields()) {
                if (each.getName().equals(name)) {
                    each.setAccessible(true);
                    return each;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
}
