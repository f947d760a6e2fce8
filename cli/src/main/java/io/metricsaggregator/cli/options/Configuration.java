package io.metricsaggregator.cli.options;

import io.metricsaggregator.cli.options.OptionTable.Option;
import io.metricsaggregator.collect.UrlSecrets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a command from its command line, the environment and a file, in this order of precedence. Settings of the environment and
 * the file become arguments before the command line is parsed, so that values are converted and checked in one place. A repeatable option takes all of its values
 * from the first source that has any.
 */
public final class Configuration {
    private static final String PREFIX = "METRICS_AGGREGATOR_";
    private static final String COMMAND_LINE = "command line";

    /** Options that apply to one invocation and are no settings. */
    private static final Set<String> NOT_SETTINGS = Set.of("help", "help-all", "version", "config", "print-config");

    /** Variables with this prefix that other parts of the program read, such as the launcher. */
    private static final Set<String> RESERVED = Set.of(
            "CONFIG",
            "JAVA_HOME",
            "JAVA_OPTS",
            "LAUNCHER",
            "MLCOMMONS_COMMAND",
            "MLCOMMONS_SHADOW",
            "NO_BUILD",
            "NO_CDS",
            "PYTHON");

    /** Variables that Kubernetes sets for a Service named {@code metrics-aggregator}. */
    private static final String OF_KUBERNETES = "(SERVICE_|PORT).*";

    private final Map<String, Option> options = new LinkedHashMap<>();
    private final Map<Option, List<Value>> settings = new LinkedHashMap<>();
    private final List<String> arguments;

    /** A value and its source: the command line, a variable, or a file with a line number. */
    private record Value(String text, String source) {}

    private Configuration(List<Option> known, List<String> arguments) {
        this.arguments = arguments;
        for (Option option : known) {
            for (String name : option.names()) {
                if (name.startsWith("--") && !NOT_SETTINGS.contains(name.substring(2))) {
                    options.put(name.substring(2), option);
                }
            }
        }
    }

    /**
     * Reads all sources.
     *
     * @param known the options of the command
     * @param arguments those of the command, without its name
     * @throws IllegalArgumentException if a source has an unknown setting, or a flag is neither true nor false
     */
    public static Configuration of(List<Option> known, List<String> arguments, Map<String, String> environment)
            throws IOException {
        Configuration all = new Configuration(known, arguments);
        String file = all.readCommandLine();
        all.readEnvironment(environment);
        if (file == null) {
            file = environment.get(PREFIX + "CONFIG");
        }
        if (file != null && !file.isEmpty()) {
            all.readFile(Path.of(file));
        }
        return all;
    }

    /** Records the options on the command line; returns the file of {@code --config}, or null without one. */
    private @Nullable String readCommandLine() {
        String file = null;
        for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (!name.startsWith("--")) {
                continue;
            }
            String next = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            String value = equals < 0 ? next : argument.substring(equals + 1);
            Option option = options.get(name.substring(2));
            if (name.equals("--config")) {
                file = value;
            } else if (option != null) {
                settings.computeIfAbsent(option, any -> new ArrayList<>())
                        .add(new Value(option.takesValue() ? value : "true", COMMAND_LINE));
                if (option.takesValue() && equals < 0) {
                    i++;
                }
            }
        }
        return file;
    }

    private void readEnvironment(Map<String, String> environment) {
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (!variable.startsWith(PREFIX)) {
                return;
            }
            String rest = variable.substring(PREFIX.length());
            String name = rest.toLowerCase(Locale.ROOT).replace('_', '-');
            String value = text.strip();
            Option option = variable(name).equals(variable) ? options.get(name) : null;
            if (option != null && !value.isEmpty()) {
                add(
                        option,
                        Stream.of(option.isRepeatable() ? value.split("\\s+") : new String[] {value})
                                .map(each -> new Value(each, variable))
                                .toList());
            } else if (option == null && !RESERVED.contains(rest) && !rest.matches(OF_KUBERNETES)) {
                throw new IllegalArgumentException("environment variable " + variable + ": unknown option --" + name);
            }
        });
    }

    private static String variable(String option) {
        return PREFIX + option.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private void readFile(Path file) throws IOException {
        Map<Option, List<ConfigurationFile.Setting>> found = new LinkedHashMap<>();
        for (ConfigurationFile.Setting line : ConfigurationFile.read(file)) {
            Option option = options.get(line.name());
            if (option == null) {
                throw new IllegalArgumentException(line.place() + ": unknown option --" + line.name() + " of run");
            }
            List<ConfigurationFile.Setting> lines = found.computeIfAbsent(option, any -> new ArrayList<>());
            lines.add(line);
            if (lines.size() > 1 && !option.isRepeatable()) {
                throw new IllegalArgumentException(line.place() + ": --" + line.name() + " is already set at "
                        + lines.get(0).place());
            }
        }
        found.forEach((option, lines) -> add(
                option,
                lines.stream()
                        .map(line -> new Value(line.value(), line.place()))
                        .toList()));
    }

    /** Adds the values of a source, unless a source with precedence has some. */
    private void add(Option option, List<Value> values) {
        Value first = values.get(0);
        if (!option.takesValue() && !first.text().matches("true|false")) {
            throw new IllegalArgumentException(first.source() + ": "
                    + option.names().get(0) + " must be true or false, not '" + first.text() + "'");
        }
        settings.putIfAbsent(option, values);
    }

    /** The arguments to parse: those of the environment and the file, then the command line. */
    public List<String> arguments() {
        List<String> all = new ArrayList<>();
        settings.forEach((option, values) -> {
            for (Value value : values) {
                if (value.source().equals(COMMAND_LINE)) {
                    continue;
                }
                if (option.takesValue()) {
                    all.add(option.names().get(0) + "=" + value.text());
                } else if (value.text().equals("true")) {
                    all.add(option.names().get(0));
                }
            }
        });
        all.addAll(arguments);
        return all;
    }

    /**
     * An error message with the sources of the options that it names: in front the source of the first one, behind those of others. Options
     * of the command line have none.
     */
    public String located(String message) {
        TreeMap<Integer, Option> named = new TreeMap<>();
        settings.keySet().forEach(option -> {
            for (String name : option.names()) {
                Matcher matcher = Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])")
                        .matcher(message);
                if (matcher.find()) {
                    named.put(matcher.start(), option);
                }
            }
        });
        String text = message;
        boolean first = true;
        for (Option option : named.values()) {
            String source = source(option, message);
            if (!source.equals(COMMAND_LINE)) {
                text = first
                        ? source + ": " + text
                        : text + " (" + option.names().get(0) + ": " + source + ")";
            }
            first = false;
        }
        return text;
    }

    /** The source of the value that a message is about: of the first one unless it has another. */
    private String source(Option option, String message) {
        List<Value> values = settings.getOrDefault(option, List.of());
        return values.stream()
                .filter(each -> !each.text().isEmpty()
                        && message.contains(shown(option, each.text().replaceFirst("^(bind|connect):", ""))))
                .max(Comparator.comparingInt(each -> each.text().length()))
                .orElse(values.get(0))
                .source();
    }

    private static String shown(Option option, String value) {
        return option.label().startsWith("URL") ? UrlSecrets.maskValue(value) : UrlSecrets.mask(value);
    }

    /** Prints the settings in the format of the file: those that are set below their source, the others as comments. Secrets are masked. */
    void print(PrintWriter out) {
        settings.forEach((option, values) -> {
            String source = "";
            for (Value value : values) {
                if (!value.source().equals(source)) {
                    source = value.source();
                    out.println("# " + source);
                }
                out.println(name(option) + " = " + shown(option, value.text()));
            }
        });
        out.println();
        options.values().stream()
                .distinct()
                .filter(each -> !settings.containsKey(each))
                .forEach(option -> {
                    String value = option.defaultValue();
                    if (value == null && !option.takesValue()) {
                        value = "false";
                    }
                    out.println("# " + name(option) + " =" + (value == null ? "" : " " + value));
                });
        out.flush();
    }

    private static String name(Option option) {
        for (String name : option.names()) {
            if (name.startsWith("--")) {
                return name.substring(2);
            }
        }
        return option.names().get(0);
    }
}
