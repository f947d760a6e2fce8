package io.metricsaggregator.cli.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options of a command in a table, so that a start does not read the annotations of a hundred fields, which takes a third of a second. It has what
 * parsing needs, no help; a test keeps it equal to the annotations. Each line, with tabs between: names, the member that takes the value, arity,
 * label of the value, converter, default value, whether it is required, whether it needs others. Not thread-safe.
 */
public final class OptionTable {
    private static final String NONE = "-";
    private static final int COLUMNS = 8;

    private OptionTable() {}

    /** An option of the table was given that only the annotated command can act on, such as {@code --help}. */
    private static final class NotInTableException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Leaves arguments that the table cannot parse to the annotations, which have help and the texts of errors. */
    public static final class HandOver implements IParameterExceptionHandler {
        /** No exit status of a process. */
        public static final int STATUS = -1;

        @Override
        public int handleParseException(ParameterException error, String[] arguments) {
            return STATUS;
        }
    }

    /**
     * The command as picocli sees it.
     *
     * @param command instance with the members; its options change it
     * @param table resource beside this class
     */
    public static CommandSpec read(String name, Object command, String table) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name(name);
        try (InputStream in = Objects.requireNonNull(OptionTable.class.getResourceAsStream(table), table);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                spec.addOption(option(command, line.split("\t", COLUMNS)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(table + " does not fit " + command.getClass(), e);
        }
        return spec;
    }

    private static OptionSpec option(Object command, String[] columns) throws ReflectiveOperationException {
        OptionSpec.Builder option = OptionSpec.builder(columns[0].split(" ", -1))
                .arity(columns[2])
                .paramLabel(columns[3])
                .required(Boolean.parseBoolean(columns[6]));
        if (!columns[4].equals(NONE)) {
            Constructor<?> constructor = Class.forName(columns[4]).getDeclaredConstructor();
            constructor.setAccessible(true);
            option.converters((ITypeConverter<?>) constructor.newInstance());
        }
        if (!columns[5].equals(NONE)) {
            option.defaultValue(columns[5]);
        }
        if (columns[1].equals(NONE)) {
            return option.type(boolean.class)
                    .hasInitialValue(false)
                    .setter(new ISetter() {
                        @Override
                        public <T> T set(T value) {
                            throw new NotInTableException();
                        }
                    })
                    .build();
        }
        Object owner = command;
        String[] path = columns[1].split("\\.", -1);
        for (int i = 0; i < path.length - 1; i++) {
            owner = field(owner, path[i]).get(owner);
        }
        Field field = bind(option, owner, path[path.length - 1]);
        if (Boolean.parseBoolean(columns[7])) {
            // Which ones, tells an annotation; reading it makes classes, so the others have none to read.
            option.userObject(field);
        }
        return option.build();
    }

    private static Field bind(OptionSpec.Builder option, Object owner, String member)
            throws ReflectiveOperationException {
        Field field = field(owner, member);
        List<Class<?>> parts = new ArrayList<>();
        if (field.getGenericType() instanceof ParameterizedType generic) {
            for (Type each : generic.getActualTypeArguments()) {
                parts.add((Class<?>) each);
            }
        } else {
            parts.add(field.getType());
        }
        option.initialValue(field.get(owner))
                .type(field.getType())
                .auxiliaryTypes(parts.toArray(new Class<?>[0]))
                .getter(new IGetter() {
                    @Override
                    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // picocli's signature
                    public <T> T get() throws Exception {
                        return (T) field.get(owner);
                    }
                })
                .setter(new ISetter() {
                    @Override
                    @SuppressWarnings("unchecked")
                    public <T> T set(T value) throws Exception {
                        T before = (T) field.get(owner);
                        field.set(owner, value);
                        return before;
                    }
                });
        return field;
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
