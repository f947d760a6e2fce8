package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Successes;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Benchmark Report of llm-d, version 0.2.1, as JSON, which is YAML too: the requests of the run, durations, lengths and rates of those that
 * succeeded, conversations as sessions, and scraped servers as components. Times are in seconds, standard deviations of the population. What the snapshot lacks for successes alone is absent, and the reason is in
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
        Map<String, @Nullable Object> results = new LinkedHashMap<>();
        results.put("request_performance", Map.of("aggregate", performance));
        results.put("session_performance", sessions(report.snapshot()));
        results.put("observability", servers(report.snapshot()));
        tree.put("results", results);
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

    /** Conversations; their turns are events. Null without conversations. */
    private static @Nullable Map<String, Object> sessions(MetricsSnapshot snapshot) {
        Conversations conversations = snapshot.extensions().optional().conversations();
        if (conversations == null) {
            return null;
        }
        Map<String, @Nullable Object> sessions = new LinkedHashMap<>();
        sessions.put("total", conversations.seen());
        sessions.put("succeeded", conversations.completed());
        sessions.put("failed", conversations.failed());
        // The unit of the schema for anything that is counted by the second.
        sessions.put("session_rate", statistics(conversations.perSecond(), null, "queries/s", 1));
        sessions.put(
                "session_duration",
                statistics(snapshot.series(SeriesName.CONVERSATION_DURATION_NS), "s", NANOS_PER_SECOND));
        sessions.put("events_per_session", statistics(snapshot.series(SeriesName.CONVERSATION_TURNS), "count", 1));
        return Map.of("sessions", sessions);
    }

    /** What the scraped servers measured of themselves, over the run. Null without them. */
    private static @Nullable Map<String, Object> servers(MetricsSnapshot snapshot) {
        ScrapeSnapshot scrape = snapshot.extensions().telemetry().scrape();
        ServerSnapshot servers = scrape == null ? null : scrape.server();
        if (servers == null) {
            return null;
        }
        List<Map<String, Object>> components = new ArrayList<>();
        for (ServerSnapshot.Target each : servers.targets()) {
            ServerPanel panel = each.run();
            Map<String, @Nullable Object> aggregate = new LinkedHashMap<>();
            aggregate.put("kv_cache_usage", level(panel, ServerRole.KV_USAGE, "percent", 100));
            Double hits = panel.ratios().get(ServerRatio.PREFIX_HITS);
            aggregate.put("cache_hit_rate", statistics(hits, null, "percent", 100));
            aggregate.put("running_requests", level(panel, ServerRole.RUNNING, "count", 1));
            aggregate.put("waiting_requests", level(panel, ServerRole.WAITING, "count", 1));
            if (panel.figures().get(ServerRole.PREEMPTIONS) instanceof ServerFigure.Growth preemptions) {
                aggregate.put("preemptions", statistics(preemptions.total(), null, "count", 1));
            }
            components.add(
                    Map.of("component_label", each.job(), "replica_id", each.instance(), "aggregate", aggregate));
        }
        return Map.of("components", components);
    }

    private static @Nullable Map<String, @Nullable Object> level(
            ServerPanel panel, ServerRole role, String unit, double factor) {
        return panel.figures().get(role) instanceof ServerFigure.Level level
                ? statistics(level.mean(), level.max(), unit, factor)
                : null;
    }

    /** A mean and, where there is one, a largest value; null without a mean. */
    private static @Nullable Map<String, @Nullable Object> statistics(
            @Nullable Double mean, @Nullable Double max, String unit, double factor) {
        if (mean == null || !Double.isFinite(mean)) {
            return null;
        }
        Map<String, @Nullable Object> statistics = new LinkedHashMap<>();
        statistics.put("units", unit);
        statistics.put("mean", mean * factor);
        if (max != null && Double.isFinite(max)) {
            statistics.put("max", max * factor);
        }
        return statistics;
    }

    private static @Nullable Number total(@Nullable SeriesMetric metric) {
        return metric == null ? null : metric.total();
    }

    private static @Nullable Map<String, @Nullable Object> rate(
            @Nullable Number amount, @Nullable Double seconds, String unit) {
        return statistics(ForeignJson.perSecond(amount, seconds), null, unit, 1);
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
