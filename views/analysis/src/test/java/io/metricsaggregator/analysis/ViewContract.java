package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.verdict.Verdict;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * What holds for every view of every {@link ContractRun}: it renders in bounded time and size; it shows no NaN, null, Infinity or −0, no percentile above
 * its maximum, and no control character, markup or formula of a producer; it keeps its width; and it says the verdict, the counts
 * and the {@link KeyFigures}, with their marks, that all others say.
 */
public final class ViewContract {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SIZE_MAX = 12_000_000;

    /** The script of the pages of reports, the same in all. */
    private static final String SCRIPT = "(?s)<script>\"use strict\";.*?</script>";

    /** A value that is none; {@code null} is one in JSON alone. */
    private static final Pattern NO_NUMBER =
            Pattern.compile("\\bNaN\\b|\\bInfinity\\b|(?<![\\w.:/+-])-0(?:\\.0*)?%?(?![\\w.:-])");

    private static final Pattern NULL = Pattern.compile("(?<![\\w-])null(?![\\w-])");
    private static final Pattern CONTROL = Pattern.compile("[\\u0000-\\u0008\\u000b-\\u001f\\u007f\\u202e]");
    /** Half of a character that was cut in two. */
    private static final Pattern HALF = Pattern.compile("[\\x{d800}-\\x{dfff}]");

    private static final Pattern CELL = Pattern.compile("<t[dh][^>]*>(.*?)</t[dh]>", Pattern.DOTALL);
    private static final Pattern PERCENTILE = Pattern.compile("(?:^|.*[ .])p[\\d.]+$|p[\\d.]+(_ns|_ms)?$");

    /** What is written. */
    public enum Medium {
        TEXT,
        MARKDOWN,
        HTML,
        CSV,
        JSON,
        /** JSON with tables and texts for a page. */
        PAGE,
        XML
    }

    /** How much a view says. */
    public enum Scope {
        /** Anything: another tool's format, or a part of the run. */
        PART,
        /** The verdict. */
        VERDICT,
        /** The key figures of a run that is on: its verdict is not out. */
        FIGURES,
        /** The verdict, how many samples were issued, and the key figures. */
        WHOLE
    }

    private ViewContract() {}

    /**
     * Renders a view and checks it.
     *
     * @param view its name, for messages
     * @param width the most columns of a line of text; ignored by other media
     * @return what was rendered
     */
    public static String check(
            ContractRun run, String view, Medium medium, Scope scope, int width, Supplier<String> rendering) {
        long start = System.nanoTime();
        String text = rendering.get().replaceFirst(SCRIPT, "");
        String as = view + " of " + run + (medium == Medium.TEXT ? " at " + width : "");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as(as).isLessThan(PATIENCE);
        assertThat(text.length()).as("size of %s", as).isLessThan(SIZE_MAX);
        assertThat(found(NO_NUMBER, text)).as("numbers that are none in %s", as).isEmpty();
        assertThat(found(HALF, text)).as("halves of characters in %s", as).isEmpty();
        if (medium != Medium.JSON && medium != Medium.PAGE) {
            assertThat(found(NULL, text)).as("nulls in %s", as).isEmpty();
        }
        switch (medium) {
            case TEXT -> text(as, width, text);
            case MARKDOWN -> markdown(as, text);
            case HTML -> html(as, text);
            case CSV -> csv(as, text);
            case JSON -> json(as, text);
            case PAGE -> {
                json(as, text);
                // What JSON escapes is a control character all the same.
                assertThat(text).as(as).doesNotContain("\u202e").doesNotContainPattern("(?<!\\\\)(\\\\\\\\)*\\\\u00");
            }
            case XML -> xml(as, text);
        }
        says(run, as, medium, scope, text);
        return text;
    }

    private static List<String> found(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (found.size() < 5 && matcher.find()) {
            found.add(text.substring(Math.max(0, matcher.start() - 60), Math.min(text.length(), matcher.end() + 20)));
        }
        return found;
    }

    private static void says(ContractRun run, String as, Medium medium, Scope scope, String text) {
        MetricsSnapshot snapshot = run.snapshot();
        if (scope == Scope.PART) {
            return;
        }
        if (scope != Scope.FIGURES) {
            assertThat(text)
                    .as(as)
                    .containsIgnoringCase(Verdict.of(snapshot).validity().name());
        }
        if (scope != Scope.VERDICT) {
            KeyFigures.check(snapshot, as, medium, text);
            SampleCounts counts = SampleCounts.of(snapshot);
            for (Long each : new Long[] {counts.issued(), counts.succeeded(), counts.failed()}) {
                assertThat(each).as("counts of %s", run).isNotNull();
                assertThat(text)
                        .as("count %d in %s", each, as)
                        .containsPattern(
                                "(?<!\\d)(" + each + "|" + String.format(Locale.ROOT, "%,d", each) + ")(?!\\d)");
            }
        }
        assertThat(snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)).isNotNegative();
    }

    private static void text(String as, int width, String text) {
        assertThat(found(CONTROL, text)).as("controls in %s", as).isEmpty();
        assertThat(text.lines().filter(line -> line.length() > width).limit(3))
                .as("lines wider than %d in %s", width, as)
                .isEmpty();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches(".*\\bp50\\b.*\\bmax\\b.*")) {
                for (int row = i + 1; row < lines.size() && !lines.get(row).isBlank(); row++) {
                    ordered(as, titles(lines.get(i)), aligned(lines.get(i), lines.get(row)));
                }
            }
        }
    }

    private static List<String> titles(String head) {
        return List.of(head.strip().split(" +"));
    }

    /** The cells of a row whose ends are those of the titles; {@code -} where none ends there. */
    private static List<String> aligned(String head, String row) {
        List<String> cells = new ArrayList<>();
        Matcher title = Pattern.compile("\\S+").matcher(head);
        while (title.find()) {
            int end = title.end();
            boolean ends = end <= row.length()
                    && row.charAt(end - 1) != ' '
                    && (end == row.length() || row.charAt(end) == ' ');
            cells.add(ends ? row.substring(row.lastIndexOf(' ', end - 1) + 1, end) : "-");
        }
        return cells;
    }

    private static void markdown(String as, String text) {
        assertThat(found(CONTROL, text)).as("controls in %s", as).isEmpty();
        assertThat(text.replaceAll("`[^`\\n]*`", "").replaceAll("</?(details|summary)>", ""))
                .as("markup in %s", as)
                .doesNotContainPattern("<[a-z/!]");
        List<String> head = List.of();
        for (String line : text.lines().toList()) {
            if (!line.startsWith("|")) {
                head = List.of();
                continue;
            }
            List<String> cells = List.of(line.replace("\\|", "¦").substring(1).split("\\|", -1)).stream()
                    .map(String::strip)
                    .toList();
            if (head.isEmpty()) {
                head = cells;
            } else {
                assertThat(cells)
                        .as("columns of a row in %s: %s", as, shortened(line))
                        .hasSameSizeAs(head);
                ordered(as, head, cells);
            }
        }
    }

    private static String shortened(String line) {
        return line.substring(0, Math.min(200, line.length()));
    }

    private static void html(String as, String text) {
        assertThat(found(CONTROL, text)).as("controls in %s", as).isEmpty();
        assertThat(text).as(as).doesNotContainIgnoringCase("<script").doesNotContain("javascript:");
        for (String table : text.split("<table", -1)) {
            List<String> head = List.of();
            for (String row : table.split("<tr", -1)) {
                List<String> cells = CELL.matcher(row)
                        .results()
                        .map(each -> each.group(1).replaceAll("<[^>]*>", ""))
                        .toList();
                head = row.contains("<th ") ? cells : head;
                ordered(as, head, cells);
            }
        }
    }

    /** Cells by RFC 4180; a file may hold several tables, with an empty line between them. */
    private static void csv(String as, String text) {
        List<List<String>> rows = new ArrayList<>(List.of(new ArrayList<>()));
        Matcher cells = Pattern.compile("(\"(?:[^\"]|\"\")*+\"|[^,\"\\r\\n]*)(,|\\r?\\n|$)")
                .matcher(text);
        while (cells.find() && !(cells.hitEnd() && cells.group().isEmpty())) {
            String cell = cells.group(1);
            rows.get(rows.size() - 1)
                    .add(
                            cell.startsWith("\"")
                                    ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"")
                                    : cell);
            if (!cells.group(2).equals(",")) {
                rows.add(new ArrayList<>());
            }
        }
        List<String> head = List.of();
        for (List<String> row : rows) {
            if (row.isEmpty() || row.equals(List.of(""))) {
                head = List.of();
                continue;
            }
            head = head.isEmpty() ? row : head;
            assertThat(row).as("columns of a row in %s", as).hasSameSizeAs(head);
            assertThat(row)
                    .as("formulas in %s", as)
                    .noneMatch(each -> each.matches("(?s)[=+@\\t\\r].*") || each.matches("(?s)-[^\\d.].*"));
            ordered(as, head, row);
        }
    }

    private static void json(String as, String text) {
        assertThat(text).as(as).doesNotContain("\"null\"");
        try {
            inspect(as, JsonTree.read(text.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError(as + " is no JSON", e);
        }
    }

    private static void inspect(String as, Object tree) {
        if (tree instanceof List<?> list) {
            list.forEach(each -> inspect(as, each));
        } else if (tree instanceof Map<?, ?> map) {
            if (map.get("columns") instanceof List<?> columns && map.get("rows") instanceof List<?> rows) {
                rows.forEach(row -> ordered(as, texts(columns), texts(row)));
            }
            Map<?, ?> percentiles = map.get("percentiles") instanceof Map<?, ?> own ? own : map;
            for (String suffix : List.of("", "_ms", "_ns")) {
                if (map.get("max" + suffix) instanceof Number max) {
                    percentiles.forEach((key, value) -> {
                        if (value instanceof Number number && key.toString().matches("p?\\d[\\d.]*" + suffix)) {
                            assertThat(number.doubleValue())
                                    .as("%s of %s in %s", key, map.get("metric"), as)
                                    .isLessThanOrEqualTo(max.doubleValue());
                        }
                    });
                }
            }
            map.values().forEach(each -> inspect(as, each));
        }
    }

    /** The texts of cells or of titles of columns. */
    private static List<String> texts(Object cells) {
        return cells instanceof List<?> list
                ? list.stream()
                        .map(each -> each instanceof Map<?, ?> map
                                ? String.valueOf(map.containsKey("title") ? map.get("title") : map.get("text"))
                                : String.valueOf(each))
                        .toList()
                : List.of();
    }

    private static void xml(String as, String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.newDocumentBuilder().parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError(as + " is no XML", e);
        }
    }

    /** Checks that no percentile of a row is above the maximum, where the row has one. */
    private static void ordered(String as, List<String> titles, List<String> cells) {
        Double max = null;
        for (int i = 0; i < Math.min(titles.size(), cells.size()); i++) {
            max = titles.get(i).equals("max") ? number(cells.get(i)) : max;
        }
        for (int i = 0; max != null && i < Math.min(titles.size(), cells.size()); i++) {
            Double value = PERCENTILE.matcher(titles.get(i)).matches() ? number(cells.get(i)) : null;
            if (value != null) {
                assertThat(value).as("%s in %s: %s", titles.get(i), as, cells).isLessThanOrEqualTo(max);
            }
        }
    }

    /** A plain number; null if it has a unit. */
    private static Double number(String cell) {
        String digits = cell.replaceAll("[≈~?, ]", "");
        return digits.matches("-?\\d+(\\.\\d+)?(E[+-]?\\d+)?") ? (Double) Double.parseDouble(digits) : null;
    }
}
