package io.metricsaggregator.cli;

import io.metricsaggregator.cli.console.GroupedHelp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Renders the commands' own descriptions as the Markdown page docs/cli.md. */
final class CommandReference {
    private static final Set<String> COMMON = Set.of(
            "--help", GroupedHelp.EVERYTHING, "--version", "--verbose", "--quiet", "--log-level", "--log-format");

    private final StringBuilder page = new StringBuilder();

    private CommandReference() {}

    /** The page: every command with its options by group, then the exit statuses. */
    static String render(CommandLine root) {
        CommandReference reference = new CommandReference();
        reference.introduction(root);
        root.getSubcommands().forEach((name, command) -> {
            if (!name.equals("help")) {
                reference.command(name, command.getCommandSpec());
            }
        });
        return reference.page.toString();
    }

    private void introduction(CommandLine root) {
        page.append("""
                # Command line

                <!-- Generated from the commands by CommandReferenceTest; do not edit. -->

                Every command prints its options with `--help`, or the usual ones where it has many and all with `--help-all`. It logs on standard error from `--log-level=LEVEL` on: `error`,
                `warn` (also `-q`), `info` (the default) or `debug` (also `-v`). `--log-format=json` makes each line an object with `time`, `level`, `logger`,
                `message`, `exception`, and each `key=value` of the message as a field.

                Endpoints are `ipc://PATH` or `tcp://HOST:PORT`. Put `bind:` or `connect:` in front to override the default direction. Times take a unit
                (`250ms`, `30s`, `5m`, `1h`), sizes too (`64KiB`, `256m`, `2g`).

                | Command | Purpose |
                |---|---|
                """);
        root.getSubcommands().forEach((name, command) -> {
            if (!name.equals("help")) {
                page.append("| [`%s`](#%s) | %s |\n".formatted(name, name, cell(first(command.getCommandSpec()))));
            }
        });
        page.append("\n## Exit status\n\n| Status | Meaning |\n|---|---|\n");
        root.getCommandSpec()
                .usageMessage()
                .exitCodeList()
                .forEach((code, meaning) -> page.append("| %s | %s |\n".formatted(code.strip(), cell(meaning))));
    }

    private static String first(CommandSpec spec) {
        return String.join(" ", spec.usageMessage().description()).strip();
    }

    private void command(String name, CommandSpec spec) {
        page.append("\n## ").append(name).append("\n\n");
        paragraphs(spec, spec.usageMessage().description());
        page.append("```\n").append(GroupedHelp.synopsis(spec)).append("\n```\n");
        List<ArgSpec> grouped = new ArrayList<>();
        for (ArgGroupSpec group : spec.argGroups()) {
            grouped.addAll(group.allOptionsNested());
        }
        if (!spec.positionalParameters().isEmpty()) {
            table("Argument", List.copyOf(spec.positionalParameters()));
        }
        List<ArgSpec> others = spec.options().stream()
                .filter(option -> !grouped.contains(option) && !COMMON.contains(option.longestName()))
                .map(ArgSpec.class::cast)
                .toList();
        if (!others.isEmpty()) {
            table("Option", others);
        }
        for (ArgGroupSpec group : spec.argGroups()) {
            List<ArgSpec> options = group.allOptionsNested().stream()
                    .filter(option -> !COMMON.contains(option.longestName()))
                    .map(ArgSpec.class::cast)
                    .toList();
            if (!options.isEmpty()) {
                page.append("\n### ")
                        .append(name)
                        .append(": ")
                        .append(heading(group))
                        .append("\n");
                table("Option", options);
            }
        }
        if (spec.usageMessage().footer().length > 0) {
            page.append('\n');
            paragraphs(spec, spec.usageMessage().footer());
            page.setLength(page.length() - 1);
        }
    }

    private static String heading(ArgGroupSpec group) {
        String heading = group.heading();
        return heading == null
                ? "Options"
                : heading.replace("%n", "").replaceAll(":\\s*$", "").strip();
    }

    private void table(String title, List<ArgSpec> rows) {
        page.append("\n| ").append(title).append(" | Description |\n|---|---|\n");
        for (ArgSpec row : rows) {
            if (!row.hidden()) {
                String names = row instanceof OptionSpec option ? names(option) : "`" + row.paramLabel() + "`";
                page.append("| %s | %s |\n".formatted(names, cell(GroupedHelp.description(row))));
            }
        }
    }

    private static String names(OptionSpec option) {
        boolean valued = option.arity().max() > 0;
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            names.add("`" + name + (valued && name.startsWith("--") ? "=" + option.paramLabel() : "") + "`");
        }
        return cell(String.join(", ", names));
    }

    private void paragraphs(CommandSpec spec, String... lines) {
        String text = String.join("\n", lines).strip();
        if (!text.isEmpty()) {
            page.append(plain(text)).append("\n\n");
        }
    }

    private static String cell(String text) {
        return plain(text)
                .replace("|", "\\|")
                .replace("\n", " ")
                .replaceAll(" {2,}", " ")
                .strip();
    }

    private static String plain(String text) {
        return text.replace("%n", "\n").replace("%%", "%").replace("<", "&lt;");
    }
}
