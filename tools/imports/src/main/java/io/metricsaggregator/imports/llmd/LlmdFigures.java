package io.metricsaggregator.imports.llmd;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.Rfc3339;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one Benchmark Report: counts of requests, and statistics of those that succeeded, with standard deviations of the population. Values
 * are those of the file times their unit, so they lose no digit but by floating point. Stateless.
 */
final class LlmdFigures {
    private static final Pattern PERCENTILE = Pattern.compile("p\\d{1,2}(p\\d{1,6})?");
    private static final int TEXT_MAX = 64;
    /** Nanoseconds or tokens in the units of a report. */
    private static final Map<String, Double> UNITS =
            Map.of("s", 1e9, "s/token", 1e9, "ms", 1e6, "ms/token", 1e6, "count", 1.0);

    private static final String CHUNKS = "chunk_delta_ns";
    /** Our series by the group and name of a report's statistics. */
    private static final Map<String, String> SERIES = Map.of(
            "latency.request_latency", "sample_latency_ns",
            "latency.time_to_first_token", "ttft_ns",
            "latency.time_per_output_token", "usage_tpot_ns",
            "latency.normalized_time_per_output_token", "latency_per_token_ns",
            "latency.inter_token_latency", CHUNKS,
            "requests.input_length", "usage_prompt_tokens",
            "requests.output_length", "usage_completion_tokens");

    private LlmdFigures() {}

    /** Hands over a report; what is malformed or of another version is skipped and counted. */
    static void hand(JsonFields report, ImportSink sink) throws IOException {
        try {
            String version = String.valueOf(report.textOfAny("version"));
            if (!version.equals("0.2") && !version.startsWith("0.2.")) {
                throw new InvalidField("version", "unsupported");
            }
            JsonFields run = report.requiredObject("run");
            JsonFields aggregate = report.requiredObject("results")
                    .requiredObject("request_performance")
                    .requiredObject("aggregate");
            String uid = String.valueOf(run.text("uid"));
            if (sink.part("uid " + uid.substring(0, Math.min(TEXT_MAX, uid.length())))) {
                JsonFields load =
                        report.objectOrEmpty("scenario").objectOrEmpty("load").objectOrEmpty("standardized");
                String tool = load.textOfAny("tool");
                if (tool != null) {
                    sink.toolVersion(load.has("tool_version") ? tool + " " + load.textOfAny("tool_version") : tool);
                }
                times(run.objectOrEmpty("time"), sink);
                figures(aggregate, counts(aggregate.requiredObject("requests"), sink), sink);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private static void times(JsonFields time, ImportSink sink) throws InvalidField {
        String end = time.text("end");
        if (time.text("start") != null) {
            sink.dates(
                    Rfc3339.nanos(time.text("start"), "start"), end == null ? null : (Long) Rfc3339.nanos(end, "end"));
        }
        String duration = time.text("duration");
        try {
            if (duration != null && duration.length() <= TEXT_MAX) {
                Duration parsed = Duration.parse(duration);
                SummaryCounts.duration(sink, BigDecimal.valueOf(parsed.toNanos(), 9));
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw new InvalidField("duration", "invalid");
        }
    }

    /** Hands over the numbers of requests and returns how many succeeded; null if that is unknown. */
    private static @Nullable Long counts(JsonFields requests, ImportSink sink) throws InvalidField {
        Long total = requests.count("total");
        Long failed = requests.count("failures");
        Long incomplete = requests.count("incomplete");
        if (incomplete == null || failed == null) {
            sink.unknowable("outcomes", "the file does not say how many requests failed or did not end: none is taken");
        }
        Long ended = total == null ? null : (Long) Math.max(0, total - (incomplete == null ? 0 : incomplete));
        Long succeeded = ended == null ? null : (Long) Math.max(0, ended - (failed == null ? 0 : failed));
        SummaryCounts.hand(sink, total, ended, failed, succeeded);
        return succeeded;
    }

    private static void figures(JsonFields aggregate, @Nullable Long succeeded, ImportSink sink) throws InvalidField {
        for (String group : new String[] {"requests", "latency", "throughput"}) {
            JsonFields all = aggregate.objectOrEmpty(group);
            for (String name : all.names()) {
                try {
                    if (all.any(name) instanceof Map) {
                        statistics(group + "." + name, all.requiredObject(name), succeeded, sink);
                    }
                } catch (InvalidField e) {
                    sink.skipped(e.reason());
                }
            }
        }
    }

    private static void statistics(String name, JsonFields statistics, @Nullable Long succeeded, ImportSink sink)
            throws InvalidField {
        for (String each : statistics.names()) {
            if (statistics.any(each) instanceof Number number) {
                sink.toolFigure(
                        name + "." + each, JsonFields.number(number, each).doubleValue());
            }
        }
        BigDecimal mean = statistics.number("mean");
        String series = SERIES.get(name);
        if (mean != null && series != null) {
            // A report has no numbers of values: only series with one value for each request have a count.
            summarise(series, statistics, series.equals(CHUNKS) ? null : succeeded, sink);
        } else if (mean != null && mean.signum() > 0 && succeeded != null && name.equals("throughput.request_rate")) {
            // The rate is that of successes: it tells the time in which they came.
            sink.summaryCounter("succeeded_duration_ns", Math.round(succeeded / mean.doubleValue() * 1e9));
        }
    }

    private static void summarise(String series, JsonFields statistics, @Nullable Long count, ImportSink sink)
            throws InvalidField {
        Double unit = UNITS.get(String.valueOf(statistics.any("units")));
        if (unit == null || series.endsWith("_ns") == (unit == 1)) {
            throw new InvalidField("units", "unsupported");
        }
        Map<Double, Double> percentiles = new LinkedHashMap<>();
        for (String name : statistics.names()) {
            Double value = PERCENTILE.matcher(name).matches() ? times(statistics, name, unit) : null;
            if (value != null) {
                percentiles.put(Double.parseDouble(name.substring(1).replace('p', '.')), value);
            }
        }
        percentiles.remove(0.0);
        sink.summary(new SummarySeries(
                series,
                count,
                times(statistics, "mean", unit),
                SummarySeries.ofPopulation(times(statistics, "stddev", unit), count),
                times(statistics, "min", unit),
                times(statistics, "max", unit),
                percentiles));
        if (series.equals("ttft_ns") && count != null) {
            sink.summaryCounter("tracked_samples_succeeded_with_first_chunk", count);
        }
    }

    private static @Nullable Double times(JsonFields statistics, String name, double unit) throws InvalidField {
        BigDecimal value = statistics.number(name);
        return value == null ? null : (Double) (value.doubleValue() * unit);
    }
}
