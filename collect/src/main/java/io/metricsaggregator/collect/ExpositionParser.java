package io.metricsaggregator.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text formats exporters answer with: Prometheus' 0.0.4, and OpenMetrics 1.0. A line that is none is skipped and counted; the rest of the answer
 * counts. A sample's type is what {@code # TYPE} says, never what its name ends with; names stay as they are exposed.
 */
public final class ExpositionParser {
    /** More are left out, and counted. */
    public static final int SAMPLES_MAX = 20_000;

    private static final int LABELS_MAX = 64;
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
     * @param name as exposed
     * @param type counter, gauge, histogram, summary or untyped
     * @param millis its own time since 1970; null for that of the scrape
     */
    public record Sample(
            String name,
            Map<String, String> labels,
            String type,
            double value,
            @Nullable Long millis) {}

    /**
     * What an answer holds.
     *
     * @param badLines lines that are no sample and no comment
     * @param firstBadLine one of them; null if there is none
     * @param leftOut samples beyond {@link #SAMPLES_MAX}
     */
    public record Exposition(
            List<Sample> samples, int badLines, @Nullable String firstBadLine, int leftOut) {}

    /** A line that is no sample. */
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
     * Reads an answer.
     *
     * @param openMetrics whether it is of that format: times are then in seconds, and samples may have exemplars
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

    private void comment() {
        String[] words = line.split("[ \\t]+", 4);
        if (words.length == 4 && words[0].equals("#") && words[1].equals("TYPE")) {
            String type = words[3].strip().toLowerCase(Locale.ROOT);
            types.put(
                    words[2],
                    switch (type) {
                        case "counter", "gauge", "histogram", "summary" -> type;
                        case "gaugehistogram", "info", "stateset" -> "gauge";
                        default -> "untyped";
                    });
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
            throw new BadLineException("it ends early");
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
            throw new BadLineException("there is no name at " + (at + 1));
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
            throw new BadLineException("it has no name");
        }
        double value = number(token());
        blanks();
        Long millis = null;
        if (more() && here() != '#') {
            millis = time(token());
            blanks();
        }
        if (more() && !(openMetrics && here() == '#')) {
            // What begins with # there is an exemplar.
            throw new BadLineException("there is something behind its end");
        }
        return new Sample(name, labels, type(name, labels), value, millis);
    }

    /** Labels in braces; in UTF-8 notation a name in quotes may be among them. Answers the metric's name. */
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
                    throw new BadLineException("label " + label + " is there twice");
                }
                if (labels.size() > LABELS_MAX) {
                    throw new BadLineException("it has more than " + LABELS_MAX + " labels");
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
                throw new BadLineException("there is no comma at " + (at + 1));
            }
        }
        at++;
        return name;
    }

    private String quoted() throws BadLineException {
        if (here() != '"') {
            throw new BadLineException("there is no quote at " + (at + 1));
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
            throw new BadLineException("it has no value");
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
                // Said below; Java's suffixes and hexadecimal digits with a binary exponent are none of the format's.
            }
        }
        throw new BadLineException("its value is no number");
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
        throw new BadLineException("its time is none");
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
