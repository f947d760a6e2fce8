package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ViewContract.Medium;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures that people ask for first, read back from what a view rendered: each must be the snapshot's to the last digit shown, with the marks of an
 * estimate and of too few values where they belong and nowhere else.
 */
final class KeyFigures {
    private static final double MILLI = 1e6;

    private static final Map<String, Double> NANOS = Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", MILLI, "s", 1e9);
    private static final String TTFT = "TTFT";
    private static final String LATENCY = "latency";

    /** A figure, and what its title is in JSON and CSV. */
    enum Figure {
        SUCCEEDED,
        FAILED,
        REQUESTS,
        TOKENS,
        TTFT_P50,
        TTFT_P99,
        LATENCY_P50,
        LATENCY_P99
    }

    /**
     * A figure as it is.
     *
     * @param value durations in nanoseconds
     * @param estimated whether it is no count of the daemon's own or no exact percentile
     * @param uncertain whether it is a percentile of too few values
     */
    private record Known(double value, boolean estimated, boolean uncertain) {}

    private final Map<Figure, String> shown = new EnumMap<>(Figure.class);

    private KeyFigures() {}

    /** Checks the figures of a view of a whole run. */
    static void check(MetricsSnapshot snapshot, String as, Medium medium, String text) {
        KeyFigures read = new KeyFigures();
        switch (medium) {
            case TEXT -> read.text(text);
            case MARKDOWN -> read.markdown(text);
            case HTML -> read.html(text);
            case CSV -> read.csv(text);
            case JSON -> read.json(tree(text));
            case PAGE -> read.page(tree(text));
            case XML -> throw new IllegalArgumentException("no key figures in XML");
        }
        Map<Figure, Known> known = known(snapshot);
        for (Figure each : Figure.values()) {
            compare(each + " of " + as, known.get(each), read.shown.get(each));
        }
    }

    private static Map<?, ?> tree(String text) {
        try {
            return JsonTree.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Figure, Known> known(MetricsSnapshot snapshot) {
        Map<Figure, Known> known = new EnumMap<>(Figure.class);
        SampleCounts counts = SampleCounts.of(snapshot);
        count(known, Figure.SUCCEEDED, counts.succeeded());
        count(known, Figure.FAILED, counts.failed());
        double seconds = snapshot.counter(CounterName.TRACKED_DURATION_NS) / 1e9;
        if (seconds > 0) {
            known.put(
                    Figure.REQUESTS,
                    new Known(snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) / seconds, false, false));
            SeriesMetric tokens = snapshot.series(SeriesName.OSL);
            SeriesMetric reported = snapshot.series(SeriesName.USAGE_COMPLETION_TOKENS);
            SeriesMetric either = tokens == null ? reported : tokens;
            if (either != null && either.count() > 0) {
                known.put(Figure.TOKENS, new Known(either.total().doubleValue() / seconds, tokens == null, false));
            }
        }
        percentiles(known, SuccessSeries.TTFT.shown(snapshot), Figure.TTFT_P50, Figure.TTFT_P99);
        percentiles(known, SuccessSeries.LATENCY.shown(snapshot), Figure.LATENCY_P50, Figure.LATENCY_P99);
        return known;
    }

    private static void count(Map<Figure, Known> known, Figure figure, @Nullable Long count) {
        if (count != null) {
            known.put(figure, new Known(count, false, false));
        }
    }

    private static void percentiles(Map<Figure, Known> known, @Nullable SeriesMetric series, Figure p50, Figure p99) {
        if (series != null) {
            for (Figure each : List.of(p50, p99)) {
                double percent = each == p50 ? 50 : 99;
                Double value = series.shownPercentiles().get(percent + "");
                assertThat(value).as("percentile %s", percent).isNotNull();
                known.put(each, new Known(value, !series.isExact(), series.count() < Certainty.least(percent)));
            }
        }
    }

    private static void compare(String as, @Nullable Known known, @Nullable String shown) {
        String text = shown == null ? "-" : shown.strip();
        if (known == null) {
            assertThat(text.replaceAll("[≈~? ]", "")).as(as).isIn("-", "");
            return;
        }
        Matcher number =
                Pattern.compile("(-?[\\d,]*\\d(?:\\.(\\d+))?(?:E[+-]?\\d+)?)").matcher(text);
        assertThat(number.find()).as("%s in '%s'", as, text).isTrue();
        double value;
        double step;
        Matcher clock = Pattern.compile("(\\d+):(\\d\\d):(\\d\\d)").matcher(text);
        if (clock.find()) {
            value = 1e9
                    * (Long.parseLong(clock.group(1)) * 3600.0
                            + Long.parseLong(clock.group(2)) * 60
                            + Long.parseLong(clock.group(3)));
            step = 1e9;
        } else {
            String unit = text.substring(number.end()).replaceAll("[^a-zµ].*|[^a-zµ]", "");
            String after = text.substring(number.end()).replace("?", "").strip();
            double scale = NANOS.getOrDefault(unit.isEmpty() ? after : unit, 1.0);
            value = Double.parseDouble(number.group(1).replace(",", "")) * scale;
            step = scale
                    * (number.group(2) == null
                            ? 1
                            : Math.pow(10, -number.group(2).length()));
        }
        assertThat(value)
                .as("%s in '%s'", as, text)
                .isCloseTo(
                        known.value(),
                        org.assertj.core.data.Offset.offset(0.501 * step + 1e-9 * Math.abs(known.value())));
        assertThat(text.matches(".*[≈~].*"))
                .as("mark of an estimate at %s in '%s'", as, text)
                .isEqualTo(known.estimated());
        assertThat(text.contains("?"))
                .as("mark of too few values at %s in '%s'", as, text)
                .isEqualTo(known.uncertain());
    }

    private void put(Figure figure, @Nullable Object text) {
        if (text != null) {
            shown.putIfAbsent(figure, text.toString());
        }
    }

    /** Puts percentiles of a row whose name may have the mark of an estimate. */
    private void row(String name, String p50, String p99, String unit) {
        String mark = name.strip().matches("[≈~] .*") ? "≈" : "";
        String bare = name.strip().replaceFirst("^[≈~] ?", "");
        boolean first = bare.matches("(time to first token|TTFT of successes|TTFT)\\b(?! \\().*");
        boolean whole = bare.matches("(sample latency|latency of successes|latency)\\b(?! of (all|failed)).*");
        if (first || whole) {
            put(first ? Figure.TTFT_P50 : Figure.LATENCY_P50, mark + p50 + " " + unit);
            put(first ? Figure.TTFT_P99 : Figure.LATENCY_P99, mark + p99 + " " + unit);
        }
    }

    private void text(String text) {
        List<String> lines = text.lines().toList();
        // A line may wrap.
        find(text, "^ *samples .{0,120}?\\bsucceeded\\s+([\\d,]+)", Figure.SUCCEEDED);
        find(text, "^ *samples .{0,240}?\\bfailed\\s+([\\d,]+)", Figure.FAILED);
        find(text, "^ *Rate .{0,120}?(\\S+)\\s+req(?:uests)?/s", Figure.REQUESTS);
        find(text, "^ *Rate .{0,120}?(\\S+)\\s+output\\s+tokens/s", Figure.TOKENS);
        find(text, "^ requests/s +\\S+ +(\\S+)", Figure.REQUESTS);
        find(text, "^ output tokens/s +\\S+ +(\\S+)", Figure.TOKENS);
        for (int i = 0; i < lines.size(); i++) {
            String head = lines.get(i);
            if (head.matches(".*\\bp50\\b.*\\bp99\\b.*") && !head.contains("By ")) {
                int last50 = head.lastIndexOf("p50") + 3;
                int last99 = Pattern.compile("p99(?!\\.)")
                        .matcher(head)
                        .results()
                        .mapToInt(MatchResult::end)
                        .max()
                        .orElse(0);
                for (int row = i + 1; row < lines.size() && !lines.get(row).isBlank(); row++) {
                    String line = lines.get(row);
                    if (line.length() >= last99 && line.matches("( |≈|~|[Tts]).*")) {
                        String name = line.replaceFirst("^[ -]*(?= )", "");
                        row(name, cell(head, line, last50), cell(head, line, last99), "ms");
                    }
                }
            }
        }
    }

    /** The cell below the title that ends there, or as many cells from the end of the row as that is of the titles: wide numbers shift those behind them. */
    private static String cell(String head, String line, int end) {
        if (!head.contains("|")) {
            String[] cells = line.strip().split(" +");
            int after = head.substring(end).isBlank()
                    ? 0
                    : head.substring(end).strip().split(" +").length;
            return cells[Math.max(0, cells.length - 1 - after)];
        }
        return line.substring(line.lastIndexOf(' ', end - 1) + 1, end);
    }

    private void find(String text, String pattern, Figure figure) {
        Matcher found = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE | Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(text);
        if (found.find()) {
            put(figure, found.group(1));
        }
    }

    private void markdown(String text) {
        List<String> head = List.of();
        for (String line : text.lines().toList()) {
            List<String> cells = List.of(line.split(" *\\| *", -1));
            if (!line.startsWith("|")) {
                head = List.of();
            } else if (head.isEmpty()) {
                head = cells;
            } else if (!line.startsWith("|-")) {
                Map<String, String> row = row(head, cells);
                if (row.containsKey("issued")) {
                    put(Figure.SUCCEEDED, row.get("succeeded"));
                    put(Figure.FAILED, row.get("failed"));
                    put(Figure.REQUESTS, row.get("requests/s"));
                    put(Figure.TOKENS, row.get("output tokens/s"));
                } else if (row.containsKey("p50") && row.containsKey("p99")) {
                    row(cells.get(1), row.get("p50"), row.get("p99"), "ms");
                }
            }
        }
    }

    private static Map<String, String> row(List<String> head, List<String> cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(head.size(), cells.size()); i++) {
            row.putIfAbsent(head.get(i), cells.get(i));
        }
        return row;
    }

    private void html(String text) {
        Pattern.compile("<div class=\"tile\"><span>([^<]*)</span><b[^>]*>([^<]*)</b>")
                .matcher(text)
                .results()
                .forEach(each -> tile(each.group(1), each.group(2)));
        Pattern.compile("<div class=\"tile pair\"><span>([^<]*)</span><dl>(.*?)</dl>")
                .matcher(text)
                .results()
                .forEach(each -> {
                    Map<String, String> values = new LinkedHashMap<>();
                    Pattern.compile("<dt>(.*?)</dt><dd><b>(.*?)</b>")
                            .matcher(each.group(2))
                            .results()
                            .forEach(pair -> values.put(
                                    pair.group(1).replaceAll("[≈? ]", ""),
                                    pair.group(1).replaceAll("p\\d+", "") + " "
                                            + pair.group(2).replaceAll("<[^>]*>", "")));
                    row(each.group(1), values.getOrDefault("p50", ""), values.getOrDefault("p99", ""), "");
                });
    }

    private void tile(String name, String value) {
        switch (name) {
            case "succeeded" -> put(Figure.SUCCEEDED, value);
            case "failed", "Failed" -> put(Figure.FAILED, value);
            case "requests/s", "Requests/s" -> put(Figure.REQUESTS, value);
            case "output tokens/s", "Output tokens/s" -> put(Figure.TOKENS, value);
            case "TTFT p50" -> put(Figure.TTFT_P50, value);
            case "TTFT p99" -> put(Figure.TTFT_P99, value);
            case "Latency p50" -> put(Figure.LATENCY_P50, value);
            case "Latency p99" -> put(Figure.LATENCY_P99, value);
            default -> {
                // Not among the key figures.
            }
        }
    }

    private void csv(String text) {
        List<String> lines = text.lines().toList();
        assertThat(lines).hasSizeGreaterThanOrEqualTo(2);
        List<String> names = List.of(lines.get(0).split(",", -1));
        List<String> cells = new ArrayList<>();
        Matcher cell = Pattern.compile("\\G(?:\"((?:[^\"]|\"\")*+)\"|([^,]*))(?:,|$)")
                .matcher(text.substring(text.indexOf('\n') + 1).strip());
        while (cells.size() < names.size() && cell.find()) {
            cells.add(cell.group(1) == null ? cell.group(2) : cell.group(1));
        }
        Map<String, String> row = row(names, cells);
        List<String> uncertain = List.of(row.getOrDefault("uncertain", "").split(" "));
        List<String> estimated = List.of(row.getOrDefault("estimated", "").split(" "));
        Map<Figure, String> columns = Map.of(
                Figure.SUCCEEDED, "samples_succeeded",
                Figure.FAILED, "samples_failed",
                Figure.REQUESTS, "requests_per_s",
                Figure.TOKENS, "output_tokens_per_s",
                Figure.TTFT_P50, "ttft_p50_ms",
                Figure.TTFT_P99, "ttft_p99_ms",
                Figure.LATENCY_P50, "latency_p50_ms",
                Figure.LATENCY_P99, "latency_p99_ms");
        if (!row.getOrDefault("reported_output_tokens_per_s", "").isEmpty()) {
            put(Figure.TOKENS, "~" + row.get("reported_output_tokens_per_s"));
        }
        columns.forEach((figure, own) -> {
            String column = row.containsKey(own) || row.containsKey("failed_" + own) ? own : "all_" + own;
            String value = row.get(column);
            if (value != null && !value.isEmpty()) {
                put(
                        figure,
                        (estimated.contains(column) ? "≈" : "")
                                + value
                                + (column.endsWith("_ms") ? " ms" : "")
                                + (uncertain.contains(column) ? "?" : ""));
            }
        });
    }

    private void json(Map<?, ?> tree) {
        Map<?, ?> samples = (Map<?, ?>) tree.get("samples");
        put(Figure.SUCCEEDED, samples.get("succeeded"));
        put(Figure.FAILED, samples.get("failed"));
        Map<?, ?> rates = (Map<?, ?>) tree.get("throughput");
        put(Figure.REQUESTS, rates.get("requests_per_s"));
        if (rates.get("reported_output_tokens_per_s") != null) {
            put(Figure.TOKENS, "~" + rates.get("reported_output_tokens_per_s"));
        }
        put(Figure.TOKENS, rates.get("output_tokens_per_s"));
        List<String> names = ((List<?>) tree.get("series"))
                .stream()
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("name")))
                        .toList();
        for (Object each : (List<?>) tree.get("series")) {
            Map<?, ?> series = (Map<?, ?>) each;
            String name = String.valueOf(series.get("name"));
            // A snapshot that does not separate successes has those of all samples, which come behind.
            boolean mixed = !names.contains(name.replace("all_", "failed_"));
            if (name.matches(mixed ? "(all_)?(ttft|latency)" : "ttft|latency")) {
                Map<?, ?> values = (Map<?, ?>) series.get("percentiles");
                List<?> uncertain = (List<?>) series.get("uncertain");
                row(
                        (Boolean.TRUE.equals(series.get("exact")) ? "" : "≈ ")
                                + (name.endsWith("ttft") ? TTFT : LATENCY),
                        values.get("50.0") + (uncertain.contains("50.0") ? "?" : ""),
                        values.get("99.0") + (uncertain.contains("99.0") ? "?" : ""),
                        "ms");
            }
        }
    }

    private void page(Map<?, ?> tree) {
        for (Object each : (List<?>) tree.get("tiles")) {
            Map<?, ?> tile = (Map<?, ?>) each;
            String detail = String.valueOf(tile.get("detail"));
            // While the run is on, a tile shows the figure of now and that of the run below.
            tile(
                    String.valueOf(tile.get("title")),
                    detail.startsWith("run ")
                            ? detail.substring(4).replaceFirst(", (successes|failures too)$", "")
                            : String.valueOf(tile.get("value")));
        }
        for (Object table : (List<?>) tree.get("tables")) {
            for (Object each : (List<?>) ((Map<?, ?>) table).get("rows")) {
                List<?> row = (List<?>) each;
                if ("succeeded".equals(row.get(0))) {
                    put(Figure.SUCCEEDED, row.get(1));
                }
            }
        }
    }
}
