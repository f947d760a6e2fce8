package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.cli.wrap.TargetRule.Directive;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tool a command line starts, which server it loads, and how its target is to be replaced. Immutable.
 *
 * @param command the command line
 * @param rule how the tool takes its target; null for a tool without a rule
 * @param upstream the server
 * @param upstreamPath path of the server's URL without a slash at its end, such as {@code /openai/v1}; empty for none
 * @param setUrls flags and variables to set in addition, {@code FLAG} or {@code ENV:NAME}
 * @param environment the environment of the tool
 */
record TargetPlan(
        ToolCommand command,
        @Nullable TargetRule rule,
        Origin upstream,
        String upstreamPath,
        List<String> setUrls,
        Map<String, String> environment) {
    private static final List<TargetRule> RULES = TargetRule.parse(resource());

    TargetPlan {
        setUrls = List.copyOf(setUrls);
        environment = Map.copyOf(environment);
    }

    private static String resource() {
        try (InputStream in = TargetPlan.class.getResourceAsStream("/wrap/targets.rules")) {
            if (in == null) {
                throw new IllegalStateException("resource wrap/targets.rules is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All rules, in the order of the file. */
    static List<TargetRule> rules() {
        return RULES;
    }

    /**
     * Makes a plan.
     *
     * @param words the command line
     * @param upstream URL of the server; null to find it in the command line, its files and the environment
     * @param setUrls {@code FLAG} or {@code ENV:NAME}
     * @throws IllegalArgumentException if the tool cannot be measured, or its server is not known; the text says what to change
     */
    static TargetPlan of(
            List<String> words, @Nullable String upstream, List<String> setUrls, Map<String, String> environment) {
        ToolCommand command = ToolCommand.of(words);
        TargetRule rule = RULES.stream()
                .filter(each -> each.words().stream().anyMatch(command::beginsWith))
                .findFirst()
                .orElse(null);
        if (rule != null) {
            refuse(command, rule);
        }
        for (String each : setUrls) {
            if (!each.startsWith("-") && !each.matches("ENV:[A-Za-z_][A-Za-z0-9_]*")) {
                throw new IllegalArgumentException("--set-url '" + each + "' is neither a flag nor ENV:NAME");
            }
        }
        String url = upstream == null ? new TargetFinder(command, rule, environment).find() : upstream;
        Origin origin = url == null ? null : Origin.of(url);
        if (upstream != null && (origin == null || !upstream.contains("://"))) {
            throw new IllegalArgumentException("--upstream '" + upstream + "' is not a URL such as http://server:8000");
        }
        if (url == null || origin == null) {
            throw new IllegalArgumentException("neither the arguments nor the environment of "
                    + (rule == null ? command.name() : rule.tool()) + " name a server: add --upstream URL before --");
        }
        return new TargetPlan(command, rule, origin, Origin.pathOf(url), setUrls, environment);
    }

    private static void refuse(ToolCommand command, TargetRule rule) {
        for (Directive each : rule.all("refuse")) {
            String condition = each.arguments().get(0);
            int equals = condition.indexOf('=');
            String value = command.value(List.of(condition.substring(0, equals)));
            if (condition.substring(equals + 1).equals(value)) {
                throw new IllegalArgumentException(
                        rule.tool() + " with " + condition.replace('=', ' ') + " cannot be measured: " + each.rest(1));
            }
        }
    }

    /** Name of the tool: of its rule, else as given. */
    String tool() {
        return rule == null ? command.name() : rule.tool();
    }
}
