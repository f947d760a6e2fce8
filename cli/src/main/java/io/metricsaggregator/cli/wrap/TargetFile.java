package io.metricsaggregator.cli.wrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A settings file or script of a tool, as text: where it names a server. Files are read up to 4 MiB. */
final class TargetFile {
    private static final int MAX_BYTES = 4 << 20;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}");
    private static final Pattern URL = Pattern.compile("https?://[^\\s\"'`,\\]}]+");

    private final Path path;
    private final String text;

    private TargetFile(Path path, String text) {
        this.path = path;
        this.text = text;
    }

    /** Reads a file; null if it cannot be read: the tool will say why. */
    static @Nullable TargetFile read(String name) {
        Path path = Path.of(name);
        if (!Files.isRegularFile(path)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return new TargetFile(path, new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return null;
        }
    }

    Path path() {
        return path;
    }

    /** The first URL after a key, with <code>${NAME}</code> replaced from the environment; null if there is none. */
    @Nullable
    String urlAfter(String key, Map<String, String> environment) {
        int at = text.indexOf(key);
        Matcher url = URL.matcher(at < 0 ? "" : expanded(text.substring(at), environment, null, ""));
        return url.find() ? url.group() : null;
    }

    /** The whole text with a server moved to another, also where a variable holds it. */
    String replaced(Origin origin, String by, Map<String, String> environment) {
        return origin.replacedIn(expanded(text, environment, origin, by), by);
    }

    /** Expands the variables that hold a URL; with an origin, those that hold a URL of it. */
    private static String expanded(String text, Map<String, String> environment, @Nullable Origin origin, String by) {
        return VARIABLE.matcher(text).replaceAll((MatchResult match) -> {
            String value = environment.get(match.group(1));
            boolean wanted = value != null
                    && value.contains("://")
                    && (origin == null || !origin.replacedIn(value, by).equals(value));
            return Matcher.quoteReplacement(wanted && value != null ? value : match.group());
        });
    }

    /** A line of a script. */
    record Line(int number, String text) {}

    /** The first line with a URL of this server, or of any for null, that does not take it from a variable of the environment; null for none. */
    @Nullable
    Line literal(@Nullable Origin origin) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            boolean names = Origin.in(line).stream().anyMatch(each -> origin == null || each.isSame(origin));
            if (names && !line.startsWith("import ") && !line.startsWith("//") && !line.contains("__ENV")) {
                return new Line(i + 1, line);
            }
        }
        return null;
    }

    /** The only server that the lines name, imports and comments apart; null if there is none or several. */
    @Nullable
    Origin onlyOrigin() {
        StringBuilder code = new StringBuilder();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("import ") && !line.startsWith("//"))
                .forEach(line -> code.append(line).append('\n'));
        List<Origin> all = Origin.in(code.toString());
        return all.size() == 1 ? all.get(0) : null;
    }

    /** The first variable of the environment that a k6 script reads; null for none. */
    @Nullable
    String variable() {
        Matcher matcher = Pattern.compile("__ENV\\.([A-Za-z_][A-Za-z0-9_]*)").matcher(text);
        return matcher.find() ? matcher.group(1) : null;
    }
}
