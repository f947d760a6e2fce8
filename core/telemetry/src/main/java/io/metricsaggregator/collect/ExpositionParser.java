package io.metricsaggregator.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text formats of exporters: Prometheus 0.0.4 and OpenMetrics 1.0. Malformed lines are skipped and counted. The type of a sample
 * comes from {@code # TYPE} alone, never from the ending of its name; names stay as exposed.
 */
public final class ExpositionParser {
    /** Most samples of a response; further ones are dropped and counted. */
    public static final int SAMPLES_MAX = 20_000;

    private static final int LABELS_MAX = 64;
    private static final Pattern TYPE = Pattern.compile("#[ \\t]+TYPE[ \\t]+");
    private static final List<String> SUFFIXES =
            List.of("_bucket", "_sum", "_count", "_total", "_created", "_gsum", "_gcount", "_info");

    private final String text;
    private final boolean openMetrics;
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, String> types = new HashMap<>();
    private int badLines;
    private int leftOut;
    private @Nullable String firstBadLine;
    private String line = "";
    private int at;

    /**
     * A sample.
     *
     * @param name the metric's name as exposed
     * @param labels values by label name, in the order of the line
     * @param type {@code counter}, {@code gauge}, {@code histogram}, {@code summary} or {@code untyped}
     * @param value any double, NaN and infinities included
     * @param millis explicit time of the sample, ms since 1970; null for the time of the scrape
     */
    public record Sample(
            String name,
            Map<String, String> labels,
            String type,
            double value,
            @Nullable Long millis) {}

    /**
     * The content of a response.
     *
     * @param samples in the order of the response, at most {@link #SAMPLES_MAX}
     * @param badLines number of malformed lines
     * @param firstBadLine the error of the first malformed line and up to 120 characters of it; null without any
     * @param leftOut number of samples dropped beyond {@link #SAMPLES_MAX}
     */
    public record Exposition(
            List<Sample> samples, int badLines, @Nullable String firstBadLine, int leftOut) {}

    /** Reports a malformed line; carries no stack trace. */
    private static final class BadLineException extends Exception {
        private static final long serialVersionUID = 1;

        BadLineException(String message) {
            super(message, null, false, false);
        }
    }

    private ExpositionParser(String text, boolean openMetrics) {
        this.text = text;
        this.openMetrics = openMetrics;
    }

    /**
     * Parses a response.
     *
     * @param openMetrics whether the format is OpenMetrics, where times are in seconds and samples may have exemplars
     */
    public static Exposition parse(String text, boolean openMetrics) {
        return new ExpositionParser(text, openMetrics).parse();
    }

    private Exposition parse() {
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            line = text.substring(from, end > from && text.charAt(end - 1) == '\r' ? end - 1 : end);
            from = end + 1;
            if (line.equals("# EOF")) {
                break;
            }
            if (line.startsWith("#")) {
                comment();
            } else if (!line.isBlank()) {
                take();
            }
        }
        return new Exposition(samples, badLines, firstBadLine, leftOut);
    }

    /** Takes the type of a metric; a name in quotes may be any text (UTF-8 notation). Other comments, and malformed ones, say nothing. */
    private void comment() {
        Matcher declared = TYPE.matcher(line);
        if (!declared.lookingAt()) {
            return;
        }
        at = declared.end();
        try {
            String name = here() == '"' ? quoted() : token();
            String type = line.substring(at).strip().toLowerCase(Locale.ROOT);
            if (type.isEmpty()) {
                return;
            }
            types.put(
                    name,
                    switch (type) {
                        case "counter", "gauge", "histogram", "summary" -> type;
                        case "gaugehistogram", "info", "stateset" -> "gauge";
                        default -> "untyped";
                    });
        } catch (BadLineException e) {
            // A name without a type or without its closing quote: its samples are untyped.
            return;
        }
    }

    private void take() {
        try {
            Sample sample = sample();
            if (samples.size() < SAMPLES_MAX) {
                samples.add(sample);
            } else {
                leftOut++;
            }
        } catch (BadLineException e) {
            badLines++;
            if (firstBadLine == null) {
                firstBadLine = e.getMessage() + ": " + (line.length() > 120 ? line.substring(0, 120) + "…" : line);
            }
        }
    }

    private boolean more() {
        return at < line.length();
    }

    private char here() throws BadLineException {
        if (!more()) {
            throw new BadLineException("the line ends early");
        }
        return line.charAt(at);
    }

    private void blanks() {
        while (more() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
    }

    private static boolean begins(char c, boolean colon) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colon && c == ':');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String word(boolean colon) throws BadLineException {
        int from = at;
        if (!begins(here(), colon)) {
            throw new BadLineException("expected a name at column " + (at + 1));
        }
        while (more() && (begins(line.charAt(at), colon) || isDigit(line.charAt(at)))) {
            at++;
        }
        return line.substring(from, at);
    }

    private Sample sample() throws BadLineException {
        at = 0;
        Map<String, String> labels = new LinkedHashMap<>();
        String name = here() == '{' ? "" : word(true);
        blanks();
        if (more() && here() == '{') {
            name = labels(name, labels);
            blanks();
        }
        if (name.isEmpty()) {
            throw new BadLineException("the sample has no name");
        }
        double value = number(token());
        blanks();
        Long millis = null;
        if (more() && here() != '#') {
            millis = time(token());
            blanks();
        }
        if (more() && !(openMetrics && here() == '#')) {
            // In OpenMetrics, # starts an exemplar here.
            throw new BadLineException("unexpected text after the sample");
        }
        return new Sample(name, labels, type(name, labels), value, millis);
    }

    /** Parses the labels in braces and returns the metric's name, which is among them, in quotes, in the UTF-8 notation. */
    private String labels(String outside, Map<String, String> labels) throws BadLineException {
        String name = outside;
        at++;
        blanks();
        while (here() != '}') {
            String label = here() == '"' ? quoted() : word(false);
            blanks();
            if (here() == '=') {
                at++;
                blanks();
                if (labels.put(label, quoted()) != null) {
                    throw new BadLineException("label " + label + " occurs twice");
                }
                if (labels.size() > LABELS_MAX) {
                    throw new BadLineException("the sample has more than " + LABELS_MAX + " labels");
                }
            } else if (name.isEmpty()) {
                name = label;
            } else {
                throw new BadLineException("label " + label + " has no value");
            }
            blanks();
            if (here() == ',') {
                at++;
                blanks();
            } else if (here() != '}') {
                throw new BadLineException("expected a comma at column " + (at + 1));
            }
        }
        at++;
        return name;
    }

    private String quoted() throws BadLineException {
        if (here() != '"') {
            throw new BadLineException("expected a quote at column " + (at + 1));
        }
        at++;
        StringBuilder value = new StringBuilder();
        while (here() != '"') {
            char c = here();
            at++;
            if (c == '\\') {
                char escaped = here();
                at++;
                switch (escaped) {
                    case 'n' -> value.append('\n');
                    case '"', '\\' -> value.append(escaped);
                    default -> value.append('\\').append(escaped);
                }
            } else {
                value.append(c);
            }
        }
        at++;
        return value.toString();
    }

    private String token() throws BadLineException {
        blanks();
        int from = at;
        while (more() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
            at++;
        }
        if (from == at) {
            throw new BadLineException("the sample has no value");
        }
        return line.substring(from, at);
    }

    private static double number(String token) throws BadLineException {
        String word = token.toLowerCase(Locale.ROOT);
        if (word.matches("[+-]?nan")) {
            return Double.NaN;
        }
        if (word.matches("[+-]?inf(inity)?")) {
            return word.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        char last = token.charAt(token.length() - 1);
        if ((isDigit(last) || last == '.') && token.indexOf('x') < 0 && token.indexOf('X') < 0) {
            try {
                return Double.parseDouble(token);
            } catch (NumberFormatException e) {
                // Reported below. The format has no type suffixes and no hexadecimal numbers, unlike Java.
            }
        }
        throw new BadLineException("the value is not a number");
    }

    private long time(String token) throws BadLineException {
        if (openMetrics) {
            double seconds = number(token);
            if (Double.isFinite(seconds) && Math.abs(seconds) < 1e15) {
                return Math.round(seconds * 1000);
            }
        } else if (token.matches("-?\\d{1,18}")) {
            return Long.parseLong(token);
        }
        throw new BadLineException("the time is not a number");
    }

    private String type(String name, Map<String, String> labels) {
        String own = types.get(name);
        if (own != null) {
            return own;
        }
        for (String suffix : SUFFIXES) {
            if (name.endsWith(suffix)) {
                String family = types.get(name.substring(0, name.length() - suffix.length()));
                if (family == null) {
                    continue;
                }
                boolean parts = family.equals("histogram") || family.equals("summary");
                return suffix.equals("_created") && openMetrics
                        ? "gauge"
                        : parts || family.equals("counter") ? family : "gauge";
            }
        }
        return labels.containsKey("le") && name.endsWith("_bucket") ? "histogram" : "untyped";
    }
}
