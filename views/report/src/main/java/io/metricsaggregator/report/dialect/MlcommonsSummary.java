package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code result_summary.json} as MLCommons endpoints writes it, by its names. */
public final class MlcommonsSummary implements Dialect {
    @Override
    public String render(Report report) {
        return new String(JsonTree.write(tree(report)), StandardCharsets.UTF_8);
    }

    /** The summary as maps, lists, strings and numbers, in the order of the file; unmeasured values are null. */
    public static Map<String, @Nullable Object> tree(Report report) {
        CountedTokens.require(report);
        report = report.byTheToolsDefault();
        SnapshotExtensions extensions = report.snapshot().extensions();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("version", extensions.isNone() ? null : extensions.run().version());
        tree.put("git_sha", report.settings().gitSha());
        tree.put("test_started_at", 0L);
        tree.put("n_samples_issued", report.issued());
        tree.put("n_samples_completed", report.completed());
        tree.put("n_samples_failed", report.failed());
        tree.put("duration_ns", report.durationNanos());
        tree.put("state", report.snapshot().state().wireName());
        tree.put("complete", report.complete());
        tree.put("ttft", series(report, SeriesName.TTFT_NS));
        tree.put("tpot", series(report, SeriesName.TPOT_NS));
        tree.put("latency", series(report, SeriesName.SAMPLE_LATENCY_NS));
        tree.put("output_sequence_lengths", series(report, SeriesName.OSL));
        tree.put("input_sequence_lengths", series(report, SeriesName.ISL));
        tree.put(CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS.wire(), report.loadgenWindowNanos());
        tree.put("qps", report.requestsPerSecond());
        // The reference divides what was counted, and says complete: false beside it.
        tree.put("tps", report.throughput() == null ? null : report.throughput().tokensPerSecond());
        // The reference writes it for runs with conversations.
        Double average = UserRates.average(report.snapshot());
        if (average != null && extensions.optional().conversations() != null) {
            tree.put("e2e_avg_interactivity", average);
        }
        Map<String, @Nullable Object> reasons = new LinkedHashMap<>();
        for (FinishReason reason : FinishReason.values()) {
            reasons.put(reason.wireName(), report.snapshot().counter(CounterName.ofFinishReason(reason)));
        }
        tree.put("finish_reason_counts", reasons);
        tree.put("run_config", report.settings().runConfig());
        SteadyState steady = SteadyFigure.stateOf(report.snapshot());
        SuperPasses.Judgement judgement = steady == null ? null : steady.judgement();
        if (judgement != null) {
            tree.put("steady_state", judgement.compat());
        }
        return tree;
    }

    /**
     * The summary as the checker of submissions reads it: a failed sample is not completed, the start is in wall time, and the rates it derives are there
     * by its definitions. {@code system_tps} is null without output tokens or a duration.
     */
    public static Map<String, @Nullable Object> submitted(Report report) {
        Map<String, @Nullable Object> tree = tree(report);
        MetricsSnapshot snapshot = report.snapshot();
        RunInfo run =
                snapshot.extensions().isNone() ? null : snapshot.extensions().run();
        if (run != null && run.startedWallNanos() > 0) {
            tree.put("test_started_at", run.startedWallNanos());
        }
        Long succeeded = report.known(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        Long errored = report.known(CounterName.TRACKED_SAMPLES_ERRORED);
        if (succeeded != null && errored != null && report.failed() > 0) {
            tree.put("n_samples_completed", succeeded);
            tree.put("n_samples_failed", errored);
        }
        SeriesMetric output = snapshot.series(SeriesName.OSL);
        Double tokens = output == null || output.count() == 0
                ? null
                : (Double) output.total().doubleValue();
        Long nanos = report.durationNanos();
        tree.put("system_tps", tokens == null || nanos == null ? null : (Double) (tokens / (nanos / 1e9)));
        tree.put("tps_per_user", UserRates.of(report).perUser());
        SeriesMetric turns = snapshot.series(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS);
        turns = turns == null ? snapshot.series(SeriesName.SAMPLE_LATENCY_NS) : turns;
        if (snapshot.extensions().optional().conversations() != null && tokens != null && turns != null) {
            double seconds = turns.total().doubleValue() / 1e9;
            tree.put("output_tokens_per_turn_total", tokens);
            tree.put("e2e_turn_time_seconds_total", seconds);
            tree.put("e2e_avg_interactivity", seconds > 0 ? (Double) (tokens / seconds) : null);
        }
        SeriesMetric all = snapshot.series(SeriesName.OSL_ALL);
        if (all != null && all.count() > 0) {
            tree.put(
                    "output_sequence_lengths_full_run",
                    Map.of("output_sequence_lengths", series(report, SeriesName.OSL_ALL)));
        }
        return tree;
    }

    private static Map<String, @Nullable Object> series(Report report, SeriesName name) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        SeriesMetric series = report.snapshot().series(name);
        if (series == null) {
            return tree;
        }
        if (series.count() > 0) {
            tree.put("total", series.total());
            tree.put("min", series.min());
            tree.put("max", series.max());
            tree.put("median", series.percentiles().get(Percentile.P50.key()));
            tree.put("avg", series.mean());
            tree.put("std_dev", Report.standardDeviation(series));
            tree.put("percentiles", series.percentiles());
        }
        if (series.earlyStopping() != null) {
            tree.put("early_stopping_percentiles", series.earlyStopping());
        }
        if (series.count() > 0) {
            tree.put("histogram", histogram(series));
        }
        return tree;
    }

    private static Map<String, @Nullable Object> histogram(SeriesMetric series) {
        List<@Nullable Object> buckets = new ArrayList<>();
        List<@Nullable Object> counts = new ArrayList<>();
        for (HistogramBucket bucket : series.histogram()) {
            buckets.add(List.of(bucket.low(), bucket.high()));
            counts.add(bucket.count());
        }
        Map<String, @Nullable Object> histogram = new LinkedHashMap<>();
        histogram.put("buckets", buckets);
        histogram.put("counts", counts);
        return histogram;
    }
}
