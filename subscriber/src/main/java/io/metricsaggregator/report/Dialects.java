package io.metricsaggregator.report;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.Additions;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.Slices;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What scripts already read: the result file of {@code vllm bench serve} and the exports of AIPerf, with the keys they have there. What
 * this daemon does not know, such as the model's name, is null or left out.
 */
final class Dialects {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String[] AIPERF_PERCENTILES = {
        "1.0", "5.0", "10.0", "25.0", "50.0", "75.0", "90.0", "95.0", "99.0"
    };

    private record Row(String series, String key, String title, String unit) {}

    private static final List<Row> VLLM = List.of(
            new Row("ttft_ns", "ttft", "", "ms"),
            new Row("tpot_ns", "tpot", "", "ms"),
            new Row("chunk_delta_ns", "itl", "", "ms"),
            new Row("sample_latency_ns", "e2el", "", "ms"));

    private static final List<Row> AIPERF = List.of(
            new Row("ttft_ns", "time_to_first_token", "Time to First Token", "ms"),
            new Row("sample_latency_ns", "request_latency", "Request Latency", "ms"),
            new Row("tpot_ns", "inter_token_latency", "Inter Token Latency", "ms"),
            new Row("chunk_delta_ns", "inter_chunk_latency", "Inter Chunk Latency", "ms"),
            new Row("osl", "output_sequence_length", "Output Sequence Length", "tokens"),
            new Row("isl", "input_sequence_length", "Input Sequence Length", "tokens"));

    private Dialects() {}

    /** Flat JSON with {@code mean_ttft_ms} and the like. */
    static String vllm(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Additions additions = snapshot.additions();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(
                "date",
                additions == null
                        ? null
                        : DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                                .withZone(ZoneOffset.UTC)
                                .format(instant(additions.run().startedWallNanos())));
        tree.put("backend", null);
        tree.put("model_id", null);
        tree.put(
                "tokenizer_id",
                additions == null ? null : additions.run().settings().get("tokenizer"));
        tree.put("num_prompts", report.issued());
        tree.put("duration", seconds(report));
        tree.put("completed", report.completed() - Math.min(report.completed(), report.failed()));
        tree.put("failed", report.failed());
        tree.put("total_input_tokens", total(snapshot, "isl"));
        tree.put("total_output_tokens", total(snapshot, "osl"));
        tree.put("request_throughput", report.requestsPerSecond());
        tree.put("request_goodput", report.goodPerSecond());
        tree.put("output_throughput", report.tokensPerSecond());
        tree.put("total_token_throughput", totalTokens(report));
        tree.put(
                "max_concurrent_requests",
                additions == null ? null : additions.inFlight().peak());
        for (Row row : VLLM) {
            SeriesMetric metric = snapshot.series(row.series());
            SeriesMetric measured = metric == null || metric.count() == 0 ? null : metric;
            Double mean = measured == null ? null : measured.mean();
            tree.put("mean_" + row.key() + "_ms", mean == null ? null : mean / 1e6);
            tree.put("median_" + row.key() + "_ms", percentile(measured, "50.0"));
            tree.put(
                    "std_" + row.key() + "_ms",
                    measured == null ? null : (Double) (Report.standardDeviation(measured) / 1e6));
            for (String each : List.of("50.0", "90.0", "95.0", "99.0", "99.9")) {
                String word = each.endsWith(".0") ? each.substring(0, each.length() - 2) : each;
                tree.put("p" + word + "_" + row.key() + "_ms", percentile(measured, each));
            }
        }
        return json(tree);
    }

    private static @Nullable Double percentile(@Nullable SeriesMetric metric, String key) {
        Double value = metric == null ? null : metric.percentile(key);
        return value == null ? null : (Double) (value / 1e6);
    }

    private static @Nullable Double seconds(Report report) {
        Long nanos = report.byLoadgenWindow() ? report.loadgenWindowNanos() : report.durationNanos();
        return nanos == null ? null : (Double) (nanos / NANOS_PER_SECOND);
    }

    private static @Nullable Number total(MetricsSnapshot snapshot, String series) {
        SeriesMetric metric = snapshot.series(series);
        return metric == null || metric.count() == 0 ? null : metric.total();
    }

    private static @Nullable Double totalTokens(Report report) {
        Number input = total(report.snapshot(), "isl");
        Number output = total(report.snapshot(), "osl");
        Double seconds = seconds(report);
        return input == null || output == null || seconds == null
                ? null
                : (Double) ((input.doubleValue() + output.doubleValue()) / seconds);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }

    private static String json(Map<String, @Nullable Object> tree) {
        return new String(JsonTree.write(tree), StandardCharsets.UTF_8) + "\n";
    }

    /** {@code profile_export_aiperf.json}. */
    static String aiperf(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Additions additions = snapshot.additions();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", "1.0");
        single(report).forEach((row, value) -> {
            Map<String, @Nullable Object> metric = new LinkedHashMap<>();
            metric.put("unit", row.unit());
            metric.put("avg", value);
            tree.put(row.key(), metric);
        });
        for (Row row : AIPERF) {
            SeriesMetric metric = snapshot.series(row.series());
            if (metric == null || metric.count() == 0) {
                continue;
            }
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            values.put("unit", row.unit());
            statistics(row, metric).forEach(values::put);
            tree.put(row.key(), values);
        }
        tree.put("was_cancelled", snapshot.state() == SessionState.INTERRUPTED);
        List<Object> errors = new ArrayList<>();
        for (Additions.ErrorRow row : additions == null ? List.<Additions.ErrorRow>of() : additions.errors()) {
            Map<String, @Nullable Object> details = new LinkedHashMap<>();
            details.put("type", row.type());
            details.put("message", row.message());
            Map<String, @Nullable Object> error = new LinkedHashMap<>();
            error.put("error_details", details);
            error.put("count", row.count());
            errors.add(error);
        }
        tree.put("error_summary", errors);
        tree.put(
                "start_time",
                additions == null
                        ? null
                        : instant(additions.run().startedWallNanos()).toString());
        tree.put(
                "end_time",
                additions == null ? null : instant(additions.run().wallNanos()).toString());
        return json(tree);
    }

    /** The quantities that have one value. */
    private static Map<Row, @Nullable Object> single(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Map<Row, @Nullable Object> single = new LinkedHashMap<>();
        put(single, "request_throughput", "Request Throughput", "requests/sec", report.requestsPerSecond());
        put(single, "request_count", "Request Count", "requests", report.completed());
        put(single, "error_request_count", "Error Request Count", "requests", report.failed());
        put(single, "output_token_throughput", "Output Token Throughput", "tokens/sec", report.tokensPerSecond());
        put(single, "total_token_throughput", "Total Token Throughput", "tokens/sec", totalTokens(report));
        put(single, "goodput", "Goodput", "requests/sec", report.goodPerSecond());
        put(single, "total_osl", "Total Output Sequence Length", "tokens", total(snapshot, "osl"));
        put(single, "total_isl", "Total Input Sequence Length", "tokens", total(snapshot, "isl"));
        put(single, "benchmark_duration", "Benchmark Duration", "sec", seconds(report));
        return single;
    }

    private static void put(
            Map<Row, @Nullable Object> into, String key, String title, String unit, @Nullable Object value) {
        if (value != null) {
            into.put(new Row("", key, title, unit), value);
        }
    }

    private static Map<String, @Nullable Object> statistics(Row row, SeriesMetric metric) {
        double scale = row.unit().equals("ms") ? 1e-6 : 1;
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Double mean = metric.mean();
        values.put("avg", mean == null ? null : mean * scale);
        values.put("min", metric.min().doubleValue() * scale);
        values.put("max", metric.max().doubleValue() * scale);
        for (String each : AIPERF_PERCENTILES) {
            Double value = metric.percentile(each);
            values.put("p" + each.substring(0, each.indexOf('.')), value == null ? null : value * scale);
        }
        values.put("std", Report.standardDeviation(metric) * scale);
        return values;
    }

    /** {@code profile_export_aiperf.csv}: statistics, an empty line, and what has one value. */
    static String aiperfCsv(Report report) {
        StringBuilder out = new StringBuilder("Metric,avg,min,max,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n");
        for (Row row : AIPERF) {
            SeriesMetric metric = report.snapshot().series(row.series());
            if (metric != null && metric.count() > 0) {
                out.append(row.title()).append(" (").append(row.unit()).append(')');
                statistics(row, metric).forEach((name, value) -> out.append(',').append(fixed(value)));
                out.append("\r\n");
            }
        }
        out.append("\r\nMetric,Value\r\n");
        single(report)
                .forEach((row, value) -> out.append(row.title())
                        .append(" (")
                        .append(row.unit())
                        .append("),")
                        .append(fixed(value))
                        .append("\r\n"));
        return out.toString();
    }

    private static String fixed(@Nullable Object value) {
        return value == null
                ? ""
                : value instanceof Double number ? String.format(Locale.ROOT, "%.2f", number) : value.toString();
    }

    /** Columns of a run over time, for a spreadsheet: AIPerf's time slices. */
    static String slicesCsv(Report report) {
        Additions additions = report.snapshot().additions();
        Slices slices = additions == null ? null : additions.slices();
        StringBuilder out = new StringBuilder("slice,start_s,end_s");
        if (slices == null) {
            return out.append("\r\n").toString();
        }
        slices.columns().forEach(column -> out.append(',').append(column.name()));
        out.append("\r\n");
        for (int i = 0; i < slices.length(); i++) {
            double width = slices.widthNanos() / NANOS_PER_SECOND;
            out.append(i).append(',').append(i * width).append(',').append((i + 1) * width);
            for (Slices.Column column : slices.columns()) {
                long value = column.values()[i];
                out.append(',').append(value == Slices.NOT_MEASURED ? "" : Long.toString(value));
            }
            out.append("\r\n");
        }
        return out.toString();
    }
}
