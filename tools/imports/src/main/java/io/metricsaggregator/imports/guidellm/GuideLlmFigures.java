package io.metricsaggregator.imports.guidellm;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one GuideLLM benchmark and the values they are computed from. GuideLLM counts the requests that overlap the measured
 * interval, those that began before it included, and computes with differences of epoch seconds as doubles; so does this class. Weighted
 * figures, such as the latency between tokens, are kept and not recomputed. Belongs to one benchmark.
 */
final class GuideLlmFigures {
    private static final String LATENCY = "request_latency";
    private static final String TTFT = "time_to_first_token_ms";
    private static final String DISPATCH = "request_dispatch_delay";
    private static final String SCHEDULED = "request_scheduled_latency";
    private static final List<String> KEPT = List.of(
            LATENCY,
            TTFT,
            DISPATCH,
            SCHEDULED,
            "inter_token_latency_ms",
            "time_per_output_token_ms",
            "requests_per_second",
            "output_tokens_per_second");
    private static final Map<String, Double> PERCENTILES = Map.ofEntries(
            Map.entry("p001", 0.1),
            Map.entry("p01", 1.0),
            Map.entry("p05", 5.0),
            Map.entry("p10", 10.0),
            Map.entry("p25", 25.0),
            Map.entry("p50", 50.0),
            Map.entry("p75", 75.0),
            Map.entry("p90", 90.0),
            Map.entry("p95", 95.0),
            Map.entry("p99", 99.0),
            Map.entry("p999", 99.9));

    private final Map<String, JsonFields> summaries = new LinkedHashMap<>();
    private JsonFields made = JsonFields.EMPTY;
    private double start = Double.NEGATIVE_INFINITY;
    private double end = Double.POSITIVE_INFINITY;
    private long listed;
    private boolean everyTtft = true;
    private boolean everyTarget = true;

    /** Reads {@code metrics} of the benchmark at the cursor. */
    void read(JsonCursor cursor) throws IOException, InvalidJson {
        if (!cursor.enterObject()) {
            cursor.skip();
            return;
        }
        while (cursor.nextField()) {
            String name = cursor.name();
            if (KEPT.contains(name)) {
                JsonFields summary = JsonDocument.object(cursor);
                if (summary.any("successful") instanceof Map<?, ?>) {
                    summaries.put(name, summary);
                }
            } else {
                cursor.skip();
            }
        }
    }

    /** Sets the measured interval, epoch seconds; null or −1 for a side that is open. */
    void interval(@Nullable BigDecimal from, @Nullable BigDecimal to) {
        start = from == null || from.signum() <= 0 ? start : from.doubleValue();
        end = to == null || to.signum() <= 0 ? end : to.doubleValue();
    }

    /** Sets the numbers of requests by status, those that the report does not list included. */
    void made(JsonFields counts) {
        made = counts;
    }

    /** Takes the times of a request that succeeded. */
    void successful(ImportSink sink, JsonFields timings) throws InvalidField {
        listed++;
        BigDecimal began = timings.number("request_start");
        BigDecimal ended = timings.number("request_end");
        if (began == null || ended == null || ended.doubleValue() < start || began.doubleValue() > end) {
            return;
        }
        sink.value(LATENCY, ended.doubleValue() - began.doubleValue());
        BigDecimal targeted = timings.number("targeted_start");
        if (targeted == null) {
            everyTarget = false;
        } else {
            sink.value(DISPATCH, began.doubleValue() - targeted.doubleValue());
            sink.value(SCHEDULED, ended.doubleValue() - targeted.doubleValue());
        }
        BigDecimal first = timings.number("first_token_iteration");
        // Newer versions select by the time of the first token: where both rules differ, the figure is not recomputed.
        if (first == null || first.doubleValue() < start) {
            everyTtft = false;
        } else {
            sink.value(TTFT, 1000 * (first.doubleValue() - began.doubleValue()));
        }
    }

    /**
     * Keeps the figures and asks to recompute those that can be.
     *
     * @param sampleSize most requests of a status that the report lists; 0 for all
     */
    void check(ImportSink sink, long sampleSize) {
        try {
            keep(sink);
            Long successful = made.count("successful");
            if (successful != null && successful > listed && sampleSize > 0) {
                sink.toolFigure("requests_made.successful", successful);
                sink.unknowable(
                        "requests",
                        "GuideLLM kept a random " + sampleSize + " requests of each status; it made " + successful
                                + " successful ones");
                return;
            }
            checks(sink, LATENCY);
            if (everyTtft) {
                checks(sink, TTFT);
            }
            if (everyTarget) {
                // GuideLLM has both for open-loop strategies only.
                checks(sink, DISPATCH);
                checks(sink, SCHEDULED);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void keep(ImportSink sink) throws InvalidField {
        for (Map.Entry<String, JsonFields> each : summaries.entrySet()) {
            JsonFields successful = each.getValue().requiredObject("successful");
            for (String statistic : List.of("mean", "median")) {
                BigDecimal value = successful.number(statistic);
                if (value != null) {
                    sink.toolFigure(each.getKey() + ".successful." + statistic, value.doubleValue());
                }
            }
        }
    }

    private void checks(ImportSink sink, String name) throws InvalidField {
        JsonFields summary = summaries.get(name);
        if (summary == null) {
            return;
        }
        JsonFields successful = summary.requiredObject("successful");
        Long count = successful.count("count");
        if (count == null || count == 0) {
            return;
        }
        check(sink, name, name, successful, "count", Statistic.Simple.COUNT);
        check(sink, name, name, successful, "mean", Statistic.Simple.MEAN);
        check(sink, name, name, successful, "min", Statistic.Simple.MIN);
        check(sink, name, name, successful, "max", Statistic.Simple.MAX);
        check(sink, name, name, successful, "std_dev", Statistic.Simple.STD);
        JsonFields percentiles = successful.objectOrEmpty("percentiles");
        for (String percentile : percentiles.names()) {
            Double percent = PERCENTILES.get(percentile);
            if (percent != null) {
                check(sink, name, name + ".percentiles", percentiles, percentile, new Statistic.FirstReached(percent));
            }
        }
    }

    private static void check(
            ImportSink sink, String series, String prefix, JsonFields fields, String name, Statistic statistic)
            throws InvalidField {
        BigDecimal expected = fields.number(name);
        if (expected != null) {
            sink.check(
                    new ToolCheck(prefix + "." + name, expected.doubleValue(), series, statistic, 1, ToolCheck.EXACT));
        }
    }
}
