package io.metricsaggregator.imports.vllm;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run of the vLLM benchmark: mean, median, standard deviation of the population and percentiles by linear interpolation,
 * in milliseconds, of the requests that succeeded. Belongs to one run.
 */
final class VllmFigures {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Pattern FIGURE =
            Pattern.compile("(mean|median|std|p([0-9]+(?:\\.[0-9]+)?))_(ttft|tpot|itl|e2el)_ms");
    private static final Map<String, String> SERIES = series();

    private final ImportSink sink;
    private final JsonFields fields;

    VllmFigures(ImportSink sink, JsonFields fields) {
        this.sink = sink;
        this.fields = fields;
    }

    private static Map<String, String> series() {
        Map<String, String> series = new LinkedHashMap<>();
        series.put("ttft", "ttft_ns");
        series.put("tpot", "usage_tpot_ns");
        series.put("itl", "chunk_delta_ns");
        series.put("e2el", "sample_latency_ns");
        return series;
    }

    /** Asks to recompute the figures that follow from the requests, and keeps the rest. */
    void check(boolean first, boolean chunks) {
        for (String name : fields.names()) {
            Double value = number(name);
            Matcher figure = FIGURE.matcher(name);
            if (value == null) {
                continue;
            }
            if (figure.matches() && (first || figure.group(3).equals("e2el"))) {
                if (chunks || !figure.group(3).equals("itl")) {
                    check(name, value, String.valueOf(SERIES.get(figure.group(3))), statistic(figure), NANOS_PER_MILLI);
                    continue;
                }
            }
            sink.toolFigure(name, value);
        }
        check("completed", "sample_latency_ns", Statistic.Simple.COUNT);
        check("total_output_tokens", "usage_completion_tokens", Statistic.Simple.SUM);
        check("total_input_tokens", "usage_prompt_tokens", Statistic.Simple.SUM);
    }

    private static Statistic statistic(Matcher figure) {
        return switch (figure.group(1)) {
            case "mean" -> Statistic.Simple.MEAN;
            case "median" -> new Statistic.Linear(50);
            case "std" -> Statistic.Simple.STD;
            default -> new Statistic.Linear(Math.min(100, Double.parseDouble(figure.group(2))));
        };
    }

    private void check(String name, String series, Statistic statistic) {
        Double expected = number(name);
        if (expected != null) {
            check(name, expected, series, statistic, 1);
        }
    }

    private void check(String name, double expected, String series, Statistic statistic, double unit) {
        sink.check(new ToolCheck(name, expected, series, statistic, unit, ToolCheck.EXACT));
    }

    private @Nullable Double number(String name) {
        try {
            BigDecimal number = fields.any(name) instanceof Number ? fields.number(name) : null;
            return number == null ? null : (Double) number.doubleValue();
        } catch (InvalidField e) {
            sink.skipped(e.reason());
            return null;
        }
    }

    /** Hands the figures over as those of a run without requests. */
    void summarise() {
        Double completed = number("completed");
        SERIES.forEach((metric, series) -> summary(metric, series, completed));
        SummaryCounts.hand(sink, whole("num_prompts"), whole("completed"), whole("failed"), whole("completed"));
        Double seconds = number("duration");
        if (seconds != null && seconds > 0) {
            sink.summaryCounter("tracked_duration_ns", Math.round(seconds * 1e9));
        }
        for (String name : fields.names()) {
            Double value = number(name);
            if (value != null) {
                sink.toolFigure(name, value);
            }
        }
    }

    private @Nullable Long whole(String name) {
        Double value = number(name);
        return value == null || value < 0 ? null : (Long) value.longValue();
    }

    private void summary(String metric, String series, @Nullable Double completed) {
        Double mean = number("mean_" + metric + "_ms");
        if (mean == null) {
            return;
        }
        Map<Double, Double> percentiles = new HashMap<>();
        for (String name : fields.names()) {
            Matcher figure = FIGURE.matcher(name);
            Double value = figure.matches() && figure.group(3).equals(metric) ? number(name) : null;
            if (value != null && statistic(figure) instanceof Statistic.Linear linear && linear.percent() < 100) {
                percentiles.put(linear.percent(), value * NANOS_PER_MILLI);
            }
        }
        Double deviation = number("std_" + metric + "_ms");
        // The file has no count of tokens or chunks: only the series with one value per request have a count.
        boolean perRequest = !metric.equals("itl");
        Long count = completed == null || !perRequest ? null : (Long) completed.longValue();
        sink.summary(new SummarySeries(
                series,
                count,
                mean * NANOS_PER_MILLI,
                SummarySeries.ofPopulation(deviation == null ? null : deviation * NANOS_PER_MILLI, count),
                null,
                null,
                percentiles));
    }
}
