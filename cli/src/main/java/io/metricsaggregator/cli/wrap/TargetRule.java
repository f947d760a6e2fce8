package io.metricsaggregator.cli.wrap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How one tool takes its target: a block of the rules file.
 *
 * @param tool name of the tool, as its makers write it
 * @param words the first words of its command line, each a way to start it
 * @param directives in the order of the file
 */
record TargetRule(String tool, List<List<String>> words, List<Directive> directives) {
    /**
     * One line of a block.
     *
     * @param name its first word
     * @param arguments its other words
     */
    record Directive(String name, List<String> arguments) {
        Directive {
            arguments = List.copyOf(arguments);
        }

        /** The arguments from an index on, as one text. */
        String rest(int from) {
            return String.join(" ", arguments.subList(from, arguments.size()));
        }
    }

    private static final List<String> DIRECTIVES = List.of(
            "replace",
            "inside",
            "host-port",
            "port-by",
            "append",
            "connect",
            "urls",
            "env",
            "file",
            "copy",
            "script",
            "refuse",
            "warn",
            "note",
            "result");

    TargetRule {
        words = List.copyOf(words);
        directives = List.copyOf(directives);
    }

    /**
     * Reads a rules file.
     *
     * @throws IllegalArgumentException if a line has another form
     */
    static List<TargetRule> parse(String text) {
        List<TargetRule> rules = new ArrayList<>();
        String tool = "";
        List<List<String>> words = List.of();
        List<Directive> directives = new ArrayList<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("tool ")) {
                if (!tool.isEmpty()) {
                    rules.add(new TargetRule(tool, words, directives));
                }
                int colon = line.indexOf(':');
                tool = line.substring("tool ".length(), colon).strip();
                words = Arrays.stream(line.substring(colon + 1).split("\\|", -1))
                        .map(each -> List.of(each.strip().split(" ", -1)))
                        .toList();
                directives = new ArrayList<>();
                continue;
            }
            List<String> parts = List.of(line.split(" +", -1));
            if (tool.isEmpty() || !DIRECTIVES.contains(parts.get(0))) {
                throw new IllegalArgumentException("'" + line + "' is no rule of a target");
            }
            directives.add(new Directive(parts.get(0), parts.subList(1, parts.size())));
        }
        if (!tool.isEmpty()) {
            rules.add(new TargetRule(tool, words, directives));
        }
        return rules;
    }

    /** The lines of a name. */
    List<Directive> all(String name) {
        return directives.stream().filter(each -> each.name().equals(name)).toList();
    }

    /** Whether the block has a line of this name. */
    boolean has(String name) {
        return !all(name).isEmpty();
    }
}
