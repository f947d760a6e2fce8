package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Successes;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result file of {@code vllm bench serve}, flat JSON with keys such as {@code mean_ttft_ms}, by its definitions: counts, sums and latencies cover
 * successful requests; rates are per the duration from the start to the last completion of any request; percentiles interpolate and standard
 * deviations are of the population, numpy's defaults. Figures that the snapshot lacks for successes alone, and unknown fields such as the name of
 * the model, are null.
 */
public final class VllmReport implements Dialect {
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        SnapshotExtensions extensions = snapshot.extensions();
        Successes successes = Successes.of(snapshot);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(
                "date",
                !extensions.run().hasDates()
                        ? null
                        : DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                                .withZone(ZoneOffset.UTC)
                                .format(ForeignJson.instant(extensions.run().startedWallNanos())));
        tree.put("backend", null);
        tree.put("model_id", null);
        tree.put("tokenizer_id", extensions.run().settings().get("tokenizer"));
        tree.put("num_prompts", report.issued());
        totals(tree, report, successes);
        Map<String, @Nullable SeriesMetric> latencies = new LinkedHashMap<>();
        latencies.put("ttft", successes.timeToFirstToken());
        latencies.put("tpot", successes.timePerToken());
        latencies.put("itl", successes.betweenChunks());
        latencies.put("e2el", successes.latency());
        latencies.forEach((name, metric) -> statistics(tree, name, metric));
        return ForeignJson.write(tree, successes.notes());
    }

    @Override
    public List<String> notes(Report report) {
        return new AiperfFigures(report).notes();
    }

    private static void totals(Map<String, @Nullable Object> tree, Report report, Successes successes) {
        Double seconds = ForeignJson.seconds(report.durationNanos());
        Number input = total(successes.inputTokens());
        Number output = total(successes.outputTokens());
        SnapshotExtensions extensions = report.snapshot().extensions();
        tree.put("duration", seconds);
        tree.put("completed", successes.count());
        tree.put("failed", successes.failed());
        tree.put("total_input_tokens", input);
        tree.put("total_output_tokens", output);
        tree.put("request_throughput", ForeignJson.perSecond(successes.count(), seconds));
        tree.put(
                "request_goodput",
                extensions.goodput() == null
                        ? null
                        : ForeignJson.perSecond(extensions.goodput().good(), seconds));
        tree.put("output_throughput", ForeignJson.perSecond(output, seconds));
        tree.put("total_token_throughput", ForeignJson.perSecond(ForeignJson.sum(input, output), seconds));
        tree.put("max_concurrent_requests", successes.peak());
    }

    private static @Nullable Number total(@Nullable SeriesMetric metric) {
        return metric == null ? null : metric.total();
    }

    private static void statistics(Map<String, @Nullable Object> tree, String name, @Nullable SeriesMetric metric) {
        Double mean = metric == null ? null : metric.mean();
        tree.put("mean_" + name + "_ms", mean == null ? null : mean / NANOS_PER_MILLI);
        tree.put("median_" + name + "_ms", percentile(metric, Percentile.P50));
        tree.put(
                "std_" + name + "_ms",
                metric == null ? null : (Double) (Successes.populationDeviation(metric) / NANOS_PER_MILLI));
        for (Percentile each : Percentile.values()) {
            tree.put(each.label() + "_" + name + "_ms", percentile(metric, each));
        }
    }

    private static @Nullable Double percentile(@Nullable SeriesMetric metric, Percentile percentile) {
        Double value = metric == null ? null : metric.percentile(percentile);
        return value == null ? null : (Double) (value / NANOS_PER_MILLI);
    }
}
