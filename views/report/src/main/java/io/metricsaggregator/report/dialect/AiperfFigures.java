package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Successes;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code profile_export_aiperf.json} and {@code .csv}, by AIPerf's definitions: every metric except the error count covers successful requests only,
 * and the duration lasts from their first issue to their last completion; percentiles interpolate, and standard deviations are of the population.
 * Figures that the snapshot lacks for successes alone are omitted.
 */
final class AiperfFigures {
    private static final String[] PERCENTILES = {"1.0", "5.0", "10.0", "25.0", "50.0", "75.0", "90.0", "95.0", "99.0"};

    private static final List<String> PERCENTILE_NAMES =
            Arrays.stream(PERCENTILES).map(Percentile::label).toList();

    private record Row(String key, String title, String unit) {}

    private final Report report;
    private final Successes successes;
    private final Map<Row, SeriesMetric> distributions = new LinkedHashMap<>();
    private final Map<Row, Object> single = new LinkedHashMap<>();

    AiperfFigures(Report report) {
        this.report = report;
        this.successes = Successes.of(report.snapshot());
        distribution("time_to_first_token", "Time to First Token", "ms", successes.timeToFirstToken());
        distribution("request_latency", "Request Latency", "ms", successes.latency());
        distribution("inter_token_latency", "Inter Token Latency", "ms", successes.timePerToken());
        distribution("inter_chunk_latency", "Inter Chunk Latency", "ms", successes.betweenChunks());
        distribution("output_sequence_length", "Output Sequence Length", "tokens", successes.outputTokens());
        distribution("input_sequence_length", "Input Sequence Length", "tokens", successes.inputTokens());
        singles();
    }

    private void distribution(String key, String title, String unit, @Nullable SeriesMetric metric) {
        if (metric != null) {
            distributions.put(new Row(key, title, unit), metric);
        }
    }

    private void singles() {
        MetricsSnapshot snapshot = report.snapshot();
        SnapshotExtensions extensions = snapshot.extensions();
        Double seconds = ForeignJson.seconds(successes.durationNanos());
        Number output = total(successes.outputTokens());
        Number input = total(successes.inputTokens());
        Long failed = successes.failed();
        put("request_throughput", "Request Throughput", "requests/sec", perSecond(successes.count(), seconds));
        put("request_count", "Request Count", "requests", successes.count());
        // AIPerf writes it only if there are errors.
        put("error_request_count", "Error Request Count", "requests", failed == null || failed == 0 ? null : failed);
        put("output_token_throughput", "Output Token Throughput", "tokens/sec", perSecond(output, seconds));
        put(
                "total_token_throughput",
                "Total Token Throughput",
                "tokens/sec",
                perSecond(ForeignJson.sum(input, output), seconds));
        put(
                "goodput",
                "Goodput",
                "requests/sec",
                extensions.goodput() == null
                        ? null
                        : perSecond(extensions.goodput().good(), seconds));
        put("total_osl", "Total Output Sequence Length", "tokens", output);
        put("total_isl", "Total Input Sequence Length", "tokens", input);
        put("benchmark_duration", "Benchmark Duration", "sec", seconds);
    }

    private static @Nullable Double perSecond(@Nullable Number amount, @Nullable Double seconds) {
        return ForeignJson.perSecond(amount, seconds);
    }

    private static @Nullable Number total(@Nullable SeriesMetric metric) {
        return metric == null ? null : metric.total();
    }

    private void put(String key, String title, String unit, @Nullable Object value) {
        if (value != null) {
            single.put(new Row(key, title, unit), value);
        }
    }

    /** The content of {@code profile_export_aiperf.json}. */
    String json() {
        SnapshotExtensions extensions = report.snapshot().extensions();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", "1.0");
        single.forEach((row, value) -> {
            Map<String, @Nullable Object> metric = new LinkedHashMap<>();
            metric.put("unit", row.unit());
            metric.put("avg", value);
            tree.put(row.key(), metric);
        });
        distributions.forEach((row, metric) -> {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            values.put("unit", row.unit());
            values.putAll(statistics(row, metric));
            tree.put(row.key(), values);
        });
        tree.put("was_cancelled", report.snapshot().state() == SessionState.INTERRUPTED);
        tree.put("error_summary", errors(extensions));
        tree.put(
                "start_time",
                !extensions.run().hasDates()
                        ? null
                        : ForeignJson.instant(extensions.run().startedWallNanos())
                                .toString());
        tree.put(
                "end_time",
                !extensions.run().hasDates()
                        ? null
                        : ForeignJson.instant(extensions.run().wallNanos()).toString());
        return ForeignJson.write(tree, successes.notes());
    }

    private static List<Object> errors(SnapshotExtensions extensions) {
        List<Object> errors = new ArrayList<>();
        for (SnapshotExtensions.ErrorRow row : extensions.errors()) {
            Map<String, @Nullable Object> details = new LinkedHashMap<>();
            details.put("type", row.type());
            details.put("message", row.message());
            Map<String, @Nullable Object> error = new LinkedHashMap<>();
            error.put("error_details", details);
            error.put("count", row.count());
            errors.add(error);
        }
        return errors;
    }

    private static Map<String, @Nullable Object> statistics(Row row, SeriesMetric metric) {
        double scale = row.unit().equals("ms") ? 1e-6 : 1;
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Double mean = metric.mean();
        values.put("avg", mean == null ? null : mean * scale);
        values.put("min", metric.min().doubleValue() * scale);
        values.put("max", metric.max().doubleValue() * scale);
        for (String each : PERCENTILES) {
            Double value = metric.percentile(each);
            values.put(Percentile.label(each), value == null ? null : value * scale);
        }
        values.put("std", Successes.populationDeviation(metric) * scale);
        return values;
    }

    /** The content of {@code profile_export_aiperf.csv}: the statistics, an empty line, and the figures with a single value. */
    String csv() {
        StringBuilder out = new StringBuilder();
        out.append(new CsvRow()
                .names(List.of("Metric", "avg", "min", "max"))
                .names(PERCENTILE_NAMES)
                .name("std"));
        distributions.forEach((row, metric) -> {
            CsvRow cells = new CsvRow().name(row.title() + " (" + row.unit() + ")");
            statistics(row, metric).forEach((name, value) -> cells.value(fixed(value)));
            out.append(cells);
        });
        out.append("\r\n").append(new CsvRow().name("Metric").name("Value"));
        single.forEach((row, value) -> out.append(
                new CsvRow().name(row.title() + " (" + row.unit() + ")").value(fixed(value))));
        return out.toString();
    }

    private static String fixed(@Nullable Object value) {
        return value == null || (value instanceof Double unknown && unknown.isNaN())
                ? ""
                : value instanceof Double number ? String.format(Locale.ROOT, "%.2f", number) : value.toString();
    }

    /** The reasons why figures are missing, one line each. Building the figures found them. */
    List<String> notes() {
        return successes.notes();
    }
}
