package io.metricsaggregator.imports.aiperf;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of an AIPerf run, by tag: average, extremes, standard deviation of the population and percentiles by linear interpolation of
 * the requests that succeeded. Belongs to one read.
 */
final class AiperfSummary {
    /** Series of the tool's own time per token, in milliseconds, of {@link ImportSink#value}. */
    static final String INTER_TOKEN_MILLIS = "inter_token_latency_ms";

    /** Percentiles of list metrics come from a t-digest. */
    private static final double DIGEST = 0.01;

    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]+(?:\\.[0-9]+)?)");
    private static final Map<String, String> SERIES = series();

    private final JsonFields fields;
    private final ImportSink sink;

    private AiperfSummary(JsonFields fields, ImportSink sink) {
        this.fields = fields;
        this.sink = sink;
    }

    private static Map<String, String> series() {
        Map<String, String> series = new LinkedHashMap<>();
        series.put("request_latency", "sample_latency_ns");
        series.put("time_to_first_token", "ttft_ns");
        series.put("time_to_first_output_token", "ttfo_ns");
        series.put("inter_chunk_latency", "chunk_delta_ns");
        series.put("inter_token_latency", INTER_TOKEN_MILLIS);
        return series;
    }

    /** Whether a file is such a summary; genai-perf and early versions of AIPerf name no version. */
    static boolean isIn(SourceHead head) {
        return head.has("schema_version", "request_latency.unit")
                || head.has("aiperf_version", "request_count.unit")
                || head.has("request_throughput.unit", "request_latency.unit", "request_latency.avg");
    }

    /** Reads the file and hands its figures to {@code then}. */
    static void read(ImportSource source, ImportSink sink, Consumer<AiperfSummary> then) throws IOException {
        JsonDocument.read(source, sink, cursor -> {
            AiperfSummary summary = new AiperfSummary(JsonDocument.object(cursor), sink);
            String version = summary.fields.textOfAny("aiperf_version");
            if (version != null) {
                sink.toolVersion(version);
            }
            summary.cancelled();
            then.accept(summary);
        });
    }

    /**
     * Says so if the run was cancelled or did not end. Requests that were in flight then are nowhere in AIPerf's files: the cancelled requests in its
     * errors are those of {@code --request-cancellation-rate}.
     */
    private void cancelled() {
        boolean cancelled = Boolean.TRUE.equals(fields.any("was_cancelled"));
        if (!cancelled && !Boolean.FALSE.equals(fields.any("is_complete"))) {
            return;
        }
        String reason = fields.textOfAny("incomplete_reason");
        Long ended = SummaryCounts.sum(count("request_count"), countOrNone("error_request_count"));
        Long planned = planned();
        sink.interrupted((cancelled
                        ? "AIPerf was cancelled"
                        : "AIPerf did not complete the run" + (reason == null ? "" : ": " + reason))
                + (ended == null || planned == null
                        ? ""
                        : String.format(Locale.ROOT, "; %,d of the %,d planned requests ended", ended, planned)));
    }

    /** Whether the file says if the run was cut short, which that of early versions does not. */
    boolean tellsEnd() {
        return fields.any("was_cancelled") instanceof Boolean;
    }

    /** The number of requests of all measured phases; null if a phase has none, or its end is another. */
    private @Nullable Long planned() {
        try {
            List<@Nullable Object> phases = fields.objectOrEmpty("input_config").array("phases");
            long planned = 0;
            for (Object each : phases == null ? List.of() : phases) {
                JsonFields phase = JsonFields.of(each, "phases");
                Long requests = phase.count("requests");
                if (Boolean.TRUE.equals(phase.any("exclude_from_results"))) {
                    continue;
                }
                if (requests == null || requests > Integer.MAX_VALUE) {
                    return null;
                }
                planned += requests;
            }
            return planned == 0 ? null : (Long) planned;
        } catch (InvalidField e) {
            return null;
        }
    }

    /** A count that AIPerf leaves out if it is 0. */
    private @Nullable Long countOrNone(String tag) {
        return fields.has(tag) ? count(tag) : (Long) 0L;
    }

    /**
     * Asks to recompute the figures that follow from the requests, and keeps the averages of the rest.
     *
     * @param raw whether the requests come from responses, without the tool's own time per token
     */
    void check(boolean raw) {
        for (String tag : fields.names()) {
            JsonFields metric = metric(tag);
            if (metric == null) {
                continue;
            }
            String series = SERIES.get(tag);
            if (series == null || (raw && series.equals(INTER_TOKEN_MILLIS))) {
                keep(tag, metric);
            } else {
                check(tag, metric, series);
            }
        }
    }

    private @Nullable JsonFields metric(String tag) {
        try {
            return fields.any(tag) instanceof Map && fields.requiredObject(tag).any("unit") instanceof String
                    ? fields.requiredObject(tag)
                    : null;
        } catch (InvalidField e) {
            return null;
        }
    }

    private void keep(String tag, JsonFields metric) {
        Double average = number(metric, "avg");
        if (average != null) {
            sink.toolFigure(tag + "_avg", average);
        }
    }

    private void check(String tag, JsonFields metric, String series) {
        double unit = series.endsWith("_ns") ? nanosPerUnit(metric) : 1;
        boolean list = tag.equals("inter_chunk_latency");
        for (String name : metric.names()) {
            Statistic statistic = statistic(name);
            Double expected = statistic == null ? null : number(metric, name);
            if (statistic == null || expected == null) {
                continue;
            }
            double one = statistic == Statistic.Simple.COUNT ? 1 : unit;
            double tolerance = list && statistic instanceof Statistic.Linear ? DIGEST : ToolCheck.EXACT;
            sink.check(new ToolCheck(tag + "_" + name, expected, series, statistic, one, tolerance));
        }
    }

    private static double nanosPerUnit(JsonFields metric) {
        return switch (String.valueOf(metric.any("unit"))) {
            case "sec", "s" -> 1e9;
            case "us" -> 1e3;
            case "ns" -> 1;
            default -> 1e6;
        };
    }

    private static @Nullable Statistic statistic(String name) {
        Matcher percentile = PERCENTILE.matcher(name);
        if (percentile.matches()) {
            double percent = Double.parseDouble(percentile.group(1));
            return percent > 100 ? null : new Statistic.Linear(percent);
        }
        return switch (name) {
            case "avg" -> Statistic.Simple.MEAN;
            case "min" -> Statistic.Simple.MIN;
            case "max" -> Statistic.Simple.MAX;
            case "std" -> Statistic.Simple.STD;
            case "count" -> Statistic.Simple.COUNT;
            default -> null;
        };
    }

    private @Nullable Double number(JsonFields metric, String name) {
        try {
            BigDecimal number = metric.number(name);
            return number == null ? null : (Double) number.doubleValue();
        } catch (InvalidField e) {
            sink.skipped(e.reason());
            return null;
        }
    }

    /** Hands the figures over as those of a run without requests. */
    void summarise() {
        Long succeeded = count("request_count");
        Long failed = count("error_request_count");
        Long all = count("completed_request_count");
        if (all == null) {
            all = SummaryCounts.sum(succeeded, failed);
        } else if (failed == null && succeeded != null) {
            // AIPerf leaves out the number of errors if there is none.
            failed = Math.max(0, all - succeeded);
        }
        SummaryCounts.hand(sink, all, all == null ? succeeded : all, failed, succeeded);
        JsonFields duration = metric("benchmark_duration");
        Double seconds = duration == null ? null : number(duration, "avg");
        if (duration != null && seconds != null && seconds > 0) {
            sink.summaryCounter("tracked_duration_ns", Math.round(seconds * nanosPerUnit(duration)));
        }
        for (String tag : fields.names()) {
            JsonFields metric = metric(tag);
            if (metric == null) {
                continue;
            }
            keep(tag, metric);
            String series = tag.equals("inter_token_latency") ? "usage_tpot_ns" : SERIES.get(tag);
            if (series != null) {
                // Of a list, the number of requests is not the number of values.
                summary(tag, metric, series, tag.equals("inter_chunk_latency") ? null : succeeded);
            }
        }
    }

    private @Nullable Long count(String tag) {
        JsonFields metric = metric(tag);
        Double value = metric == null ? null : number(metric, "avg");
        return value == null || value < 0 ? null : (Long) Math.round(value);
    }

    /** Hands over a series; {@code requests} is its count where the file has none. */
    private void summary(String tag, JsonFields metric, String series, @Nullable Long requests) {
        double unit = nanosPerUnit(metric);
        Map<Double, Double> percentiles = new HashMap<>();
        for (String name : metric.names()) {
            Double value = statistic(name) instanceof Statistic.Linear ? number(metric, name) : null;
            if (value != null && statistic(name) instanceof Statistic.Linear linear && linear.percent() < 100) {
                percentiles.put(linear.percent(), value * unit);
            }
        }
        Double counted = number(metric, "count");
        Long count = counted == null ? requests : (Long) Math.round(counted);
        if (count == null) {
            for (String name : metric.names()) {
                Double value = statistic(name) == null ? null : number(metric, name);
                if (value != null) {
                    sink.toolFigure(tag + "_" + name, value);
                }
            }
        }
        sink.summary(new SummarySeries(
                series,
                count,
                times(number(metric, "avg"), unit),
                SummarySeries.ofPopulation(times(number(metric, "std"), unit), count),
                times(number(metric, "min"), unit),
                times(number(metric, "max"), unit),
                percentiles));
    }

    private static @Nullable Double times(@Nullable Double value, double unit) {
        return value == null ? null : (Double) (value * unit);
    }
}
