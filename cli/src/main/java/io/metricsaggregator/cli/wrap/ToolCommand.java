package io.metricsaggregator.cli.wrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command line with the place of the tool in it: behind {@code env}, {@code timeout}, {@code uv run}, {@code uvx}, {@code python -m} and the like.
 *
 * @param words all words
 * @param tool index of the word that names the tool
 */
record ToolCommand(List<String> words, int tool) {
    private static final Pattern PYTHON = Pattern.compile("python[0-9.]*|pypy[0-9.]*");
    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*", Pattern.DOTALL);

    /** Commands that run another, and their options that take a value. */
    private static final Map<String, Set<String>> WRAPPERS = Map.of(
            "env", Set.of("-u", "--unset", "-C", "--chdir"),
            "timeout", Set.of("-s", "--signal", "-k", "--kill-after"),
            "nice", Set.of("-n", "--adjustment"),
            "nohup", Set.of(),
            "time", Set.of("-f", "-o"),
            "stdbuf", Set.of("-i", "-o", "-e"),
            "uv", uv(),
            "uvx", uv());

    ToolCommand {
        words = List.copyOf(words);
    }

    private static Set<String> uv() {
        return Set.of(
                "--with",
                "--from",
                "--python",
                "-p",
                "--project",
                "--directory",
                "--env-file",
                "--extra",
                "--group",
                "--index-url",
                "--index",
                "--with-requirements",
                "--with-editable",
                "--package",
                "-w");
    }

    /** Finds the tool in a command line. */
    static ToolCommand of(List<String> words) {
        int at = 0;
        while (at < words.size() - 1) {
            String program = base(words.get(at));
            Set<String> valued = WRAPPERS.get(program);
            int next;
            if (PYTHON.matcher(program).matches()) {
                next = afterPython(words, at);
            } else if (valued != null
                    && !(program.equals("uv") && !words.get(at + 1).equals("run"))) {
                next = afterOptions(words, program.equals("uv") ? at + 2 : at + 1, valued, program);
            } else {
                break;
            }
            if (next >= words.size()) {
                break;
            }
            at = next;
        }
        return new ToolCommand(words, at);
    }

    private static int afterOptions(List<String> words, int from, Set<String> valued, String program) {
        int at = from;
        while (at < words.size()) {
            String word = words.get(at);
            if (word.equals("--")) {
                return at + 1;
            }
            if (word.startsWith("-")) {
                at += valued.contains(word) ? 2 : 1;
            } else if (program.equals("env") && ASSIGNMENT.matcher(word).matches()) {
                at++;
            } else {
                break;
            }
        }
        return program.equals("timeout") ? at + 1 : at;
    }

    /** The module after {@code -m}, or the script. */
    private static int afterPython(List<String> words, int from) {
        int at = from + 1;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && !words.get(at).equals("-")) {
            if (words.get(at).equals("-m") || words.get(at).equals("-c")) {
                return at + 1;
            }
            at += words.get(at).equals("-X") || words.get(at).equals("-W") ? 2 : 1;
        }
        return at;
    }

    /** The program or script without its folder and the suffix of Python. */
    static String base(String word) {
        String name = word.substring(word.lastIndexOf('/') + 1);
        return name.endsWith(".py") ? name.substring(0, name.length() - ".py".length()) : name;
    }

    /** The name of the tool as given. */
    String name() {
        return words.isEmpty() ? "" : base(words.get(tool));
    }

    /** Whether the tool's command line begins with these words; options may stand between them. */
    boolean beginsWith(List<String> expected) {
        if (!name().equals(expected.get(0))) {
            return false;
        }
        int at = tool + 1;
        for (String each : expected.subList(1, expected.size())) {
            while (at < words.size() && words.get(at).startsWith("-")) {
                at++;
            }
            if (at >= words.size() || !words.get(at).equals(each)) {
                return false;
            }
            at++;
        }
        return true;
    }

    /** A flag of the tool with its value: at one index as {@code FLAG=VALUE}, or at two. */
    record Flag(String name, int index, boolean joined, String value) {}

    /** All occurrences of any of these flags that have a value. */
    List<Flag> flags(List<String> names) {
        List<Flag> found = new ArrayList<>();
        for (int i = tool + 1; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (!word.startsWith("-")
                    || names.stream().noneMatch(each -> normal(each).equals(normal(name)))) {
                continue;
            }
            if (equals >= 0) {
                found.add(new Flag(name, i, true, word.substring(equals + 1)));
            } else {
                // A flag may take several values, as in --url URL URL.
                int value = i + 1;
                while (value < words.size()
                        && (value == i + 1 || words.get(value).matches("(?i)https?://.*"))
                        && !words.get(value).startsWith("--")) {
                    found.add(new Flag(name, value, false, words.get(value)));
                    value++;
                }
            }
        }
        return found;
    }

    /** The first value of any of these flags; null if there is none. */
    @Nullable
    String value(List<String> names) {
        List<Flag> all = flags(names);
        return all.isEmpty() ? null : all.get(0).value();
    }

    /** Whether a flag is given, with a value or without. */
    boolean has(String flag) {
        return words.subList(Math.min(words.size(), tool + 1), words.size()).stream()
                .anyMatch(each ->
                        normal(each).equals(normal(flag)) || normal(each).startsWith(normal(flag) + "="));
    }

    private static String normal(String flag) {
        return flag.startsWith("--") ? flag.replace('_', '-').toLowerCase(Locale.ROOT) : flag;
    }
}
