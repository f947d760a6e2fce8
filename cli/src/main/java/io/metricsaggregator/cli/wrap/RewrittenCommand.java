package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.cli.wrap.TargetRule.Directive;
import io.metricsaggregator.cli.wrap.ToolCommand.Flag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A command line whose target is a proxy. Immutable.
 *
 * @param words the command line to start
 * @param variables of the environment to set
 * @param changes one line for each change, in words
 * @param warnings what is not measured, or measured otherwise
 */
record RewrittenCommand(
        List<String> words, Map<String, String> variables, List<String> changes, List<String> warnings) {
    RewrittenCommand {
        words = List.copyOf(words);
        variables = Map.copyOf(variables);
        changes = List.copyOf(changes);
        warnings = List.copyOf(warnings);
    }

    /**
     * Replaces the target.
     *
     * @param proxy URL of the proxy without a path
     * @param scratch folder for copies of the tool's files, removed by the caller; null to name copies only
     * @throws IllegalArgumentException if the target cannot be replaced; the text says what to change
     * @throws IOException if a copy cannot be written
     */
    static RewrittenCommand of(TargetPlan plan, String proxy, @Nullable Path scratch) throws IOException {
        Rewriter rewriter = new Rewriter(plan, proxy, scratch);
        rewriter.rewrite();
        return new RewrittenCommand(rewriter.words, rewriter.variables, rewriter.changes, rewriter.warnings);
    }

    /** The command line as a shell would take it. */
    String line() {
        return words.stream()
                .map(each -> each.matches("[A-Za-z0-9_@%+=:,./-]+") ? each : "'" + each.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** The changes so far. */
    private static final class Rewriter {
        private final TargetPlan plan;
        private final String proxy;
        private final @Nullable Path scratch;
        private final Origin upstream;
        private final List<String> words;
        private final Map<String, String> variables = new LinkedHashMap<>();
        private final List<String> changes = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();
        private boolean targeted;

        Rewriter(TargetPlan plan, String proxy, @Nullable Path scratch) {
            this.plan = plan;
            this.proxy = proxy;
            this.scratch = scratch;
            this.upstream = plan.upstream();
            this.words = new ArrayList<>(plan.command().words());
        }

        void rewrite() throws IOException {
            TargetRule rule = plan.rule();
            for (String each : plan.setUrls()) {
                set(each);
            }
            if (rule == null) {
                before(words.size());
                TargetFinder.VARIABLES.forEach(this::variable);
            } else {
                byRule(rule);
                boolean isTargeted = targeted;
                // Assignments of env and the like.
                before(plan.command().tool());
                if (!isTargeted) {
                    throw new IllegalArgumentException("no rule for " + rule.tool() + " finds its target in '"
                            + String.join(" ", plan.command().words())
                            + "': name the flag or variable with --set-url FLAG or --set-url ENV:NAME");
                }
            }
        }

        /** Replaces URLs of the server in the words before an index. */
        private void before(int end) {
            for (int i = 0; i < end; i++) {
                change(i, upstream.replacedIn(words.get(i), proxy));
            }
        }

        private void byRule(TargetRule rule) throws IOException {
            boolean connects = rule.has("connect") && !upstream.isSecure();
            for (Directive each : rule.directives()) {
                List<String> arguments = each.arguments();
                switch (each.name()) {
                    case "replace" -> {
                        if (!connects) {
                            plan.command().flags(arguments).forEach(flag -> value(flag, moved(flag.value())));
                        }
                    }
                    case "inside" ->
                        plan.command().flags(arguments.subList(0, 1)).forEach(flag -> inside(flag, arguments.get(1)));
                    case "host-port" -> hostAndPort(arguments);
                    case "append" -> append(arguments.get(0));
                    case "connect" -> connect(rule, arguments.get(0));
                    case "env" -> variable(arguments.get(0), arguments.get(1));
                    case "copy" -> copy(arguments);
                    case "script" -> script(rule, each);
                    case "warn" -> {
                        if (plan.command().has(arguments.get(0))) {
                            warnings.add(arguments.get(0) + ": " + each.rest(1));
                        }
                    }
                    case "note" -> warnings.add(each.rest(0));
                    default -> {
                        // Of finding the server and its results.
                    }
                }
            }
        }

        /** A value of URLs by comma with the server of each replaced; paths stay. */
        private String moved(String value) {
            return Arrays.stream(value.split(",", -1))
                    .map(each -> proxy + Origin.pathOf(each))
                    .collect(Collectors.joining(","));
        }

        private void value(Flag flag, String value) {
            targeted = true;
            change(flag.index(), flag.joined() ? flag.name() + "=" + value : value);
        }

        private void change(int index, String word) {
            String before = words.get(index);
            if (!before.equals(word)) {
                targeted = true;
                words.set(index, word);
                changes.add(before + " → " + word);
            }
        }

        private void inside(Flag flag, String key) {
            String target = TargetFinder.within(flag.value(), key);
            if (target != null) {
                value(flag, flag.value().replace(key + "=" + target, key + "=" + moved(target)));
            }
        }

        private void hostAndPort(List<String> flags) {
            if (targeted) {
                return;
            }
            Origin to = Objects.requireNonNull(Origin.of(proxy), "the proxy's URL");
            set(flags.get(0), to.host());
            set(flags.get(1), Integer.toString(to.port()));
        }

        private void append(String flag) {
            if (!targeted) {
                set(flag, proxy + plan.upstreamPath());
            }
        }

        /** Sets a flag: its last value if it is given, else behind all words. */
        private void set(String flag, String value) {
            List<Flag> given = plan.command().flags(List.of(flag));
            if (given.isEmpty()) {
                targeted = true;
                words.add(flag);
                words.add(value);
                changes.add("added " + flag + " " + value);
            } else {
                value(given.get(given.size() - 1), value);
            }
        }

        private void connect(TargetRule rule, String flag) {
            Origin to = Objects.requireNonNull(Origin.of(proxy), "the proxy's URL");
            if (upstream.isSecure()) {
                if (!rule.has("urls")) {
                    throw new IllegalArgumentException(rule.tool() + " cannot be sent to a proxy for " + upstream.url()
                            + ", because its targets name https: write " + proxy.replaceFirst(":[0-9]+$", ":PORT")
                            + " in them and run: metrics-aggregator proxy --upstream " + upstream.url()
                            + " --listen 127.0.0.1:PORT");
                }
                before(words.size());
                return;
            }
            targeted = true;
            String value = upstream.host() + ":" + upstream.port() + ":" + to.host() + ":" + to.port();
            words.add(flag);
            words.add(value);
            changes.add("added " + flag + " " + value);
        }

        /** Sets a variable of the environment, unless it names another server. */
        private void variable(String name, String form) {
            String given = plan.environment().get(name);
            Origin of = given == null ? null : Origin.of(given);
            if (given != null && of != null && !of.isSame(upstream)) {
                warnings.add("environment " + name + " names another server, " + of.url() + ", and stays");
                return;
            }
            String path = given != null && of != null ? Origin.pathOf(given) : path(form);
            targeted |= plan.rule() != null && !plan.rule().has("append");
            variables.put(name, proxy + path);
            changes.add("environment " + name + "=" + proxy + path);
        }

        private String path(String form) {
            String base = plan.upstreamPath().endsWith("/v1")
                    ? plan.upstreamPath().substring(0, plan.upstreamPath().length() - "/v1".length())
                    : plan.upstreamPath();
            return switch (form) {
                case "v1" -> base + "/v1";
                case "base" -> base;
                default -> "";
            };
        }

        private void set(String flagOrVariable) {
            if (!flagOrVariable.startsWith("ENV:")) {
                List<Flag> given = plan.command().flags(List.of(flagOrVariable));
                set(
                        flagOrVariable,
                        proxy
                                + (given.isEmpty()
                                        ? plan.upstreamPath()
                                        : Origin.pathOf(given.get(0).value())));
                return;
            }
            String name = flagOrVariable.substring("ENV:".length());
            String given = plan.environment().get(name);
            String value = proxy + (given == null ? plan.upstreamPath() : Origin.pathOf(given));
            targeted = true;
            variables.put(name, value);
            changes.add("environment " + name + "=" + value);
        }

        private void copy(List<String> arguments) throws IOException {
            for (Flag flag : plan.command().flags(arguments.subList(0, 1))) {
                TargetFile file = TargetFile.read(flag.value());
                if (file == null) {
                    continue;
                }
                String text = file.replaced(upstream, proxy, plan.environment());
                Path copy = Path.of("copy-of-" + file.path().getFileName());
                if (scratch != null) {
                    copy = scratch.resolve(copy);
                    Files.writeString(copy, text);
                }
                value(flag, copy.toString());
            }
        }

        private void script(TargetRule rule, Directive suffixes) {
            TargetFile script = new TargetFinder(plan.command(), rule, plan.environment()).script(suffixes);
            TargetFile.Line literal = script == null ? null : script.literal(upstream);
            String read = script == null ? null : script.variable();
            String name = read == null ? "BASE_URL" : read;
            if (script != null && literal != null) {
                throw new IllegalArgumentException(rule.tool() + " takes its target from " + script.path() + ":"
                        + literal.number() + ": " + literal.text() + " — write __ENV." + name
                        + " there, and add --set-url ENV:" + name + " before --");
            }
            if (!targeted) {
                throw new IllegalArgumentException(rule.tool() + " takes its target from its script"
                        + (script == null ? "" : " " + script.path()) + ": add --set-url ENV:" + name
                        + " before --, with the"
                        + " variable that the script reads by __ENV." + name);
            }
            variables.forEach((variable, value) -> {
                words.add("-e");
                words.add(variable + "=" + value);
                changes.add("added -e " + variable + "=" + value);
            });
        }
    }
}
