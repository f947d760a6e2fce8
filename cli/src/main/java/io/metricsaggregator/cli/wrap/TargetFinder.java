package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.cli.wrap.TargetRule.Directive;
import io.metricsaggregator.cli.wrap.ToolCommand.Flag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the server that a tool is to load, from its own arguments, files and environment. Reads files, changes nothing. */
final class TargetFinder {
    /** Variables that hold the URL of a server for libraries and tools: with the path {@code /v1}, with the base path, with none. */
    static final Map<String, String> VARIABLES = new LinkedHashMap<>();

    static {
        VARIABLES.put("OPENAI_BASE_URL", "v1");
        VARIABLES.put("OPENAI_API_BASE", "v1");
        VARIABLES.put("ANTHROPIC_BASE_URL", "base");
        VARIABLES.put("ANTHROPIC_API_BASE", "base");
        VARIABLES.put("LITELLM_PROXY_API_BASE", "base");
        VARIABLES.put("LOCUST_HOST", "origin");
    }

    private final ToolCommand command;
    private final @Nullable TargetRule rule;
    private final Map<String, String> environment;

    TargetFinder(ToolCommand command, @Nullable TargetRule rule, Map<String, String> environment) {
        this.command = command;
        this.rule = rule;
        this.environment = environment;
    }

    /**
     * The URL of the server.
     *
     * @return null if nothing names it
     * @throws IllegalArgumentException if several servers are named
     */
    @Nullable
    String find() {
        String found = rule == null ? null : byRule(rule);
        return found == null && (rule == null || rule.has("connect")) ? byText() : found;
    }

    private @Nullable String byRule(TargetRule of) {
        String replaced = one(of.tool(), replaced(of));
        if (replaced != null) {
            return replaced;
        }
        for (Directive each : of.directives()) {
            String found = switch (each.name()) {
                case "host-port" -> hostAndPort(of, each);
                case "env" -> environment.get(each.arguments().get(0));
                case "file", "copy" -> inFile(each);
                case "script" -> inScript(each);
                default -> null;
            };
            if (found != null && !found.isEmpty()) {
                return found;
            }
        }
        return null;
    }

    /** The values of the flags that are replaced. */
    private List<String> replaced(TargetRule of) {
        List<String> urls = new ArrayList<>();
        for (Directive each : of.all("replace")) {
            for (Flag flag : command.flags(each.arguments())) {
                urls.addAll(List.of(flag.value().split(",", -1)));
            }
        }
        for (Directive each : of.all("inside")) {
            for (Flag flag : command.flags(each.arguments().subList(0, 1))) {
                String value = within(flag.value(), each.arguments().get(1));
                if (value != null) {
                    urls.add(value);
                }
            }
        }
        return urls;
    }

    static @Nullable String within(String value, String key) {
        for (String part : value.split(",", -1)) {
            if (part.strip().startsWith(key + "=")) {
                return part.strip().substring(key.length() + 1);
            }
        }
        return null;
    }

    private static @Nullable String one(String tool, List<String> urls) {
        Origin first = null;
        String found = null;
        for (String each : urls) {
            Origin origin = Origin.of(each);
            if (origin == null) {
                throw new IllegalArgumentException(tool + " names '" + each + "' as its server, which is no URL");
            }
            if (first != null && !first.isSame(origin)) {
                throw new IllegalArgumentException(tool + " names two servers, " + first.url() + " and " + origin.url()
                        + ": wrap measures one; start the tool once for each");
            }
            first = origin;
            found = found == null ? each : found;
        }
        return found == null || found.contains("://") ? found : "http://" + found;
    }

    private String hostAndPort(TargetRule of, Directive flags) {
        String host = command.value(flags.arguments().subList(0, 1));
        String port = command.value(flags.arguments().subList(1, 2));
        return "http://" + (host == null ? flags.arguments().get(2) : host.indexOf(':') < 0 ? host : "[" + host + "]")
                + ":" + (port == null ? defaultPort(of, flags.arguments().get(3)) : port);
    }

    private String defaultPort(TargetRule of, String usual) {
        for (Directive each : of.all("port-by")) {
            String value = command.value(each.arguments().subList(0, 1));
            for (String pair : each.arguments().subList(1, each.arguments().size())) {
                if (pair.startsWith(value + "=")) {
                    return pair.substring(pair.indexOf('=') + 1);
                }
            }
        }
        return usual;
    }

    private @Nullable String inFile(Directive each) {
        int key = each.arguments().size() - 1;
        String name = command.value(each.arguments().subList(0, key));
        TargetFile file = name == null ? null : TargetFile.read(name);
        return file == null ? null : file.urlAfter(each.arguments().get(key), environment);
    }

    private @Nullable String inScript(Directive each) {
        TargetFile script = script(each);
        Origin only = script == null ? null : script.onlyOrigin();
        return only == null ? null : only.url();
    }

    /** The script that the command line names; null if none can be read. */
    @Nullable
    TargetFile script(Directive suffixes) {
        for (String word :
                command.words().subList(command.tool() + 1, command.words().size())) {
            if (suffixes.arguments().stream().anyMatch(word::endsWith)) {
                TargetFile file = TargetFile.read(word);
                if (file != null) {
                    return file;
                }
            }
        }
        return null;
    }

    /** The server of the libraries' variables, else the only one that the arguments name. */
    private @Nullable String byText() {
        if (rule == null) {
            for (String name : VARIABLES.keySet()) {
                String value = environment.get(name);
                if (value != null && Origin.of(value) != null) {
                    return value;
                }
            }
        }
        String all = String.join("\n", command.words());
        List<Origin> origins = Origin.in(all);
        if (origins.size() > 1) {
            if (rule != null && rule.has("urls")) {
                return origins.get(0).url();
            }
            throw new IllegalArgumentException("the command names " + origins.size() + " servers, "
                    + origins.get(0).url() + " and " + origins.get(1).url()
                    + ": name the one to measure with --upstream URL");
        }
        if (origins.isEmpty()) {
            return null;
        }
        Matcher path = Pattern.compile("(?i)https?://[^\\s\"',/?#]+((/[^\\s\"',/?#]+)*/v1)\\b")
                .matcher(all);
        String base = path.find() ? path.group(1) : "";
        return origins.get(0).url() + base;
    }
}
