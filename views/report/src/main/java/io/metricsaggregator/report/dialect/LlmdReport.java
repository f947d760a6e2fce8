package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Successes;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Benchmark Report of llm-d, version 0.2.1, as JSON, which is YAML too: the requests of the run, and durations, lengths and rates of those that
 * succeeded. Times are in seconds, standard deviations of the population. What the snapshot lacks for successes alone is absent, and the reason is in
 * {@code run.description}, since the schema allows no further keys.
 */
public final class LlmdReport implements Dialect {
    private static final String VERSION = "0.2.1";
    private static final double NANOS_PER_SECOND = 1e9;
    /** Percentiles by their keys. */
    private static final Map<String, String> PERCENTILES = percentiles();

    private static Map<String, String> percentiles() {
        Map<String, String> keys = new LinkedHashMap<>();
        for (String each :
                List.of("0.1", "1.0", "5.0", "10.0", "25.0", "50.0", "75.0", "90.0", "95.0", "99.0", "99.9")) {
            keys.put("p" + Percentile.label(each).substring(1).replace('.', 'p'), each);
        }
        return keys;
    }

    @Override
    public String render(Report report) {
        Successes successes = Successes.of(report.snapshot());
        Map<String, @Nullable Object> performance = new LinkedHashMap<>();
        performance.put("requests", requests(report, successes));
        performance.put("latency", latency(successes));
        performance.put("throughput", throughput(successes));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("run", run(report, successes));
        tree.put("results", Map.of("request_performance", Map.of("aggregate", performance)));
        return ForeignJson.write(tree, List.of());
    }

    @Override
    public List<String> notes(Report report) {
        Successes successes = Successes.of(report.snapshot());
        requests(report, successes);
        latency(successes);
        throughput(successes);
        return successes.notes();
    }

    /** The run; its notes are complete once all figures were asked for. */
    private static Map<String, @Nullable Object> run(Report report, Successes successes) {
        RunInfo info = report.snapshot().extensions().run();
        Map<String, @Nullable Object> run = new LinkedHashMap<>();
        run.put("uid", info.runId());
        Map<String, @Nullable Object> time = new LinkedHashMap<>();
        if (info.hasDates()) {
            time.put("start", ForeignJson.instant(info.startedWallNanos()).toString());
            time.put("end", ForeignJson.instant(info.wallNanos()).toString());
        }
        Long nanos = report.durationNanos();
        if (nanos != null) {
            time.put("duration", Duration.ofNanos(nanos).toString());
        }
        run.put("time", time);
        if (!successes.notes().isEmpty()) {
            run.put("description", String.join("; ", successes.notes()));
        }
        run.put(
                "keywords",
                info.labels().entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .toList());
        return run;
    }

    private static Map<String, @Nullable Object> requests(Report report, Successes successes) {
        Long succeeded = successes.count();
        Long failed = successes.failed();
        Map<String, @Nullable Object> requests = new LinkedHashMap<>();
        requests.put("total", report.issued());
        requests.put("failures", failed);
        requests.put(
                "incomplete",
                succeeded == null || failed == null ? null : (Long) Math.max(0, report.issued() - succeeded - failed));
        requests.put("input_length", statistics(successes.inputTokens(), "count", 1));
        requests.put("output_length", statistics(successes.outputTokens(), "count", 1));
        return requests;
    }

    private static Map<String, @Nullable Object> latency(Successes successes) {
        Map<String, @Nullable Object> latency = new LinkedHashMap<>();
        latency.put("time_to_first_token", statistics(successes.timeToFirstToken(), "s", NANOS_PER_SECOND));
        latency.put("time_per_output_token", statistics(successes.timePerToken(), "s/token", NANOS_PER_SECOND));
        latency.put("inter_token_latency", statistics(successes.betweenChunks(), "s/token", NANOS_PER_SECOND));
        latency.put("request_latency", statistics(successes.latency(), "s", NANOS_PER_SECOND));
        return latency;
    }

    private static Map<String, @Nullable Object> throughput(Successes successes) {
        Double seconds = ForeignJson.seconds(successes.durationNanos());
        Number input = total(successes.inputTokens());
        Number output = total(successes.outputTokens());
        Map<String, @Nullable Object> throughput = new LinkedHashMap<>();
        throughput.put("input_token_rate", rate(input, seconds, "tokens/s"));
        throughput.put("output_token_rate", rate(output, seconds, "tokens/s"));
        throughput.put("total_token_rate", rate(ForeignJson.sum(input, output), seconds, "tokens/s"));
        throughput.put("request_rate", rate(successes.count(), seconds, "queries/s"));
        return throughput;
    }

    private static @Nullable Number total(@Nullable SeriesMetric metric) {
        return metric == null ? null : metric.total();
    }

    private static @Nullable Map<String, @Nullable Object> rate(
            @Nullable Number amount, @Nullable Double seconds, String unit) {
        Double rate = ForeignJson.perSecond(amount, seconds);
        if (rate == null) {
            return null;
        }
        Map<String, @Nullable Object> statistics = new LinkedHashMap<>();
        statistics.put("units", unit);
        statistics.put("mean", rate);
        return statistics;
    }

    /** The statistics of a series; null without values. */
    private static @Nullable Map<String, @Nullable Object> statistics(
            @Nullable SeriesMetric metric, String unit, double scale) {
        Double mean = metric == null ? null : metric.mean();
        if (metric == null || mean == null || !Double.isFinite(mean)) {
            return null;
        }
        Map<String, @Nullable Object> statistics = new LinkedHashMap<>();
        statistics.put("units", unit);
        statistics.put("mean", mean / scale);
        double deviation = Successes.populationDeviation(metric);
        statistics.put("stddev", Double.isFinite(deviation) ? (Double) (deviation / scale) : null);
        statistics.put("min", metric.min().doubleValue() / scale);
        PERCENTILES.forEach((key, percentile) -> {
            Double value = metric.percentile(percentile);
            if (value != null) {
                statistics.put(key, value / scale);
            }
        });
        statistics.put("max", metric.max().doubleValue() / scale);
        return statistics;
    }
}
