package io.metricsaggregator.imports.inferenceperf;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of inference-perf: of requests that succeeded, in seconds, percentiles by linear interpolation. The time to first token
 * counts only where the tool has the times of at least two tokens. Belongs to one import.
 */
final class InferencePerfFigures {
    private static final String LATENCY = "request_latency";
    private static final String TTFT = "time_to_first_token";
    private static final double NANOS_PER_SECOND = 1e9;

    private @Nullable JsonFields summary;
    private @Nullable JsonFields stage;
    private long succeeded;
    private long failed;
    private boolean computed;
    private double computedLatency;
    private double computedTtft;
    private long computedTtfts;

    /** Takes the content of a summary; of several the last one counts. */
    void summary(JsonFields fields) {
        summary = fields;
    }

    /** Takes the content of the report of a stage, which stands for the summary if there is neither one nor a request. */
    void stage(JsonFields fields) {
        stage = fields;
    }

    /** The number of requests that the summary states; null for none. */
    @Nullable
    Long requests() {
        try {
            return summary == null
                    ? null
                    : summary.objectOrEmpty("load_summary").count("count");
        } catch (InvalidField e) {
            return null;
        }
    }

    /** Takes a request that failed. */
    void failed() {
        failed++;
    }

    /** Takes a request that succeeded; {@code times} of its chunks, null if it was not streamed. */
    void succeeded(
            ImportSink sink,
            JsonFields row,
            JsonFields info,
            JsonFields response,
            @Nullable List<@Nullable Object> times)
            throws InvalidField {
        double start = JsonFields.number(row.any("start_time"), "start_time").doubleValue();
        double end = JsonFields.number(row.any("end_time"), "end_time").doubleValue();
        succeeded++;
        sink.value(LATENCY, end - start);
        List<@Nullable Object> tokens = response.array("output_token_times");
        int known = tokens == null || tokens.isEmpty() ? times == null ? 0 : times.size() : tokens.size();
        if (known > 1) {
            Object first = tokens == null || tokens.isEmpty() ? times == null ? null : times.get(0) : tokens.get(0);
            sink.value(TTFT, JsonFields.number(first, "output_token_times").doubleValue() - start);
        }
        JsonFields metrics = row.object("computed_metrics");
        if (metrics != null) {
            computed = true;
            BigDecimal latency = metrics.number(LATENCY);
            computedLatency += latency == null ? 0 : latency.doubleValue();
            BigDecimal ttft = metrics.number(TTFT);
            computedTtft += ttft == null ? 0 : ttft.doubleValue();
            computedTtfts += ttft == null ? 0 : 1;
        }
    }

    /** After the last file: asks to recompute the figures, or hands them over if there are no requests. */
    void finish(ImportSink sink) {
        try {
            if (computed) {
                check(sink, "computed_metrics." + LATENCY + ".sum", computedLatency, LATENCY, Statistic.Simple.SUM);
                check(
                        sink,
                        "computed_metrics." + TTFT + ".count",
                        (double) computedTtfts,
                        TTFT,
                        Statistic.Simple.COUNT);
                check(sink, "computed_metrics." + TTFT + ".sum", computedTtft, TTFT, Statistic.Simple.SUM);
            }
            boolean requests = succeeded + failed > 0;
            JsonFields summary = this.summary == null && !requests ? stage : this.summary;
            if (summary == null) {
                return;
            }
            JsonFields successes = summary.objectOrEmpty("successes");
            JsonFields latencies = successes.objectOrEmpty("latency");
            keep(sink, latencies, successes.objectOrEmpty("throughput"));
            if (requests) {
                Long count = successes.count("count");
                if (count != null) {
                    check(sink, "successes.count", (double) count, LATENCY, Statistic.Simple.COUNT);
                }
                checks(sink, latencies, LATENCY);
                checks(sink, latencies, TTFT);
            } else {
                Long count = successes.count("count");
                Long errors = summary.objectOrEmpty("failures").count("count");
                Long all = SummaryCounts.sum(count, errors);
                SummaryCounts.hand(sink, all, all, errors, count);
                SummaryCounts.duration(sink, summary.number("benchmark_time_seconds"));
                summarise(sink, count, latencies);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private static void keep(ImportSink sink, JsonFields latencies, JsonFields throughput) throws InvalidField {
        for (String name : latencies.names()) {
            JsonFields figures = latencies.objectOrEmpty(name);
            for (String statistic : figures.names()) {
                keep(sink, name + "." + statistic, figures.number(statistic));
            }
        }
        for (String name : throughput.names()) {
            keep(sink, "throughput." + name, throughput.number(name));
        }
    }

    private static void keep(ImportSink sink, String name, @Nullable BigDecimal value) {
        if (value != null) {
            sink.toolFigure(name, value.doubleValue());
        }
    }

    private static void checks(ImportSink sink, JsonFields latencies, String name) throws InvalidField {
        JsonFields figures = latencies.objectOrEmpty(name);
        for (String key : figures.names()) {
            Statistic statistic = statistic(key);
            BigDecimal expected = figures.number(key);
            if (statistic != null && expected != null) {
                check(sink, name + "." + key, expected.doubleValue(), name, statistic);
            }
        }
    }

    private static void check(ImportSink sink, String name, double expected, String series, Statistic statistic) {
        sink.check(new ToolCheck(name, expected, series, statistic, 1, ToolCheck.EXACT));
    }

    /** The statistic of a key: {@code mean}, {@code min}, {@code max}, {@code median} or {@code p99.9}; null for another. */
    private static @Nullable Statistic statistic(String key) {
        return switch (key) {
            case "mean" -> Statistic.Simple.MEAN;
            case "min" -> Statistic.Simple.MIN;
            case "max" -> Statistic.Simple.MAX;
            case "median" -> new Statistic.Linear(50);
            default -> {
                if (key.matches("p\\d{1,2}(\\.\\d{1,6})?")) {
                    yield new Statistic.Linear(Double.parseDouble(key.substring(1)));
                }
                yield null;
            }
        };
    }

    private static void summarise(ImportSink sink, @Nullable Long count, JsonFields latencies) throws InvalidField {
        sink.kind(SourceKind.AGGREGATES);
        series(sink, latencies.objectOrEmpty(LATENCY), "sample_latency_ns", count);
        series(sink, latencies.objectOrEmpty(TTFT), "ttft_ns", null);
    }

    private static void series(ImportSink sink, JsonFields figures, String series, @Nullable Long count)
            throws InvalidField {
        BigDecimal mean = figures.number("mean");
        if (mean == null) {
            return;
        }
        Map<Double, Double> percentiles = new LinkedHashMap<>();
        for (String key : figures.names()) {
            BigDecimal value = figures.number(key);
            if (value != null && statistic(key) instanceof Statistic.Linear percentile && percentile.percent() > 0) {
                percentiles.put(percentile.percent(), value.doubleValue() * NANOS_PER_SECOND);
            }
        }
        sink.summary(new SummarySeries(
                series,
                count,
                mean.doubleValue() * NANOS_PER_SECOND,
                null,
                nanos(figures.number("min")),
                nanos(figures.number("max")),
                percentiles));
    }

    private static @Nullable Double nanos(@Nullable BigDecimal seconds) {
        return seconds == null ? null : seconds.doubleValue() * NANOS_PER_SECOND;
    }
}
