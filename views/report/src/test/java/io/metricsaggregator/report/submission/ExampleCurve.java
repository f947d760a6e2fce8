package io.metricsaggregator.report.submission;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A curve of seven points with everything that a submitter states. */
final class ExampleCurve {
    static final long SECOND = 1_000_000_000L;
    static final List<Long> LEVELS = List.of(8L, 12L, 32L, 64L, 128L, 256L, 512L);
    private static final List<Long> WITH_ACCURACY = List.of(8L, 12L, 64L, 512L);
    private static final String CONFIG = """
            model_params: {name: deepseek-ai/deepseek-r1, seed: 9315206023656308754}
            datasets:
            - {name: example, type: performance}
            settings:
              runtime: {min_duration_ms: 600000, scheduler_random_seed: 10487924139932647040, dataloader_random_seed: 7}
              load_pattern: {type: concurrency, target_concurrency: 8}
              client: {stream_all_chunks: true}
              warmup: {enabled: false, salt: false}
            endpoint_config:
              api_key: "sk-123"
              api_keys: ["sk-456"]
              token: "sk-789"
              max_tokens: 7
              proxy: "http://user:sk-abc@proxy:80"
              endpoints: ["http://localhost:8000"]
            """;

    private ExampleCurve() {}

    static List<MeasuredPoint> points() {
        List<MeasuredPoint> points = new ArrayList<>();
        LEVELS.forEach(each -> points.add(point(each, 0, false)));
        return points;
    }

    static MeasuredPoint point(long concurrency, long failed, boolean offline) {
        return new MeasuredPoint(
                "c" + concurrency,
                concurrency,
                offline,
                Report.of(snapshot(concurrency, failed)),
                CONFIG,
                WITH_ACCURACY.contains(concurrency) || offline
                        ? "{\"accuracy_scores\": [{\"dataset_name\": \"d\", \"score\": 0.9}]}"
                        : null);
    }

    /** 1000 samples in 2000 s, each with 10 times the concurrency of output tokens, and 20 ms a token. */
    static MetricsSnapshot snapshot(long concurrency, long failed) {
        List<Metric> metrics = new ArrayList<>();
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("total_samples_issued", 1000L);
        counters.put("total_samples_completed", 1000L);
        counters.put("tracked_samples_issued", 1000L);
        counters.put("tracked_samples_completed", 1000L);
        counters.put("tracked_samples_failed", 2 * failed);
        counters.put("tracked_samples_errored", failed);
        counters.put("tracked_samples_succeeded", 1000 - failed);
        counters.put("tracked_duration_ns", 2000 * SECOND);
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        metrics.add(series("ttft_ns", SECOND / 5));
        metrics.add(series("tpot_ns", SECOND / 50));
        metrics.add(series("sample_latency_ns", SECOND));
        metrics.add(series("osl", 10 * concurrency));
        RunInfo run = new RunInfo(
                2,
                "cafe",
                "1",
                1_790_000_000L * SECOND,
                1_790_002_000L * SECOND,
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                null,
                Map.of("concurrency", String.valueOf(concurrency)),
                null,
                null);
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        run, new SnapshotExtensions.InFlight(0, 0, 0, 60, 0), new Slices(0, SECOND, 0, List.of()))
                .build()
                .withSteady(steady());
        return new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, extensions);
    }

    private static SteadyState steady() {
        Map<String, @Nullable Object> compat = new LinkedHashMap<>();
        compat.put("found", true);
        compat.put("window", Map.of("sp_lo", 1L, "sp_hi", 9L, "n_samples", 800L));
        compat.put("global_trend", Map.of("tpot_p50", "up", "tpot_p90", "steady"));
        SuperPasses.Judgement judgement =
                new SuperPasses.Judgement("windowable", "STEADY STATE", compat, Map.of(), Map.of());
        SteadyWindow window =
                new SteadyWindow(0, 1600 * SECOND, 800, 1599 * SECOND, 0.5, 5.0, null, null, null, null, 8);
        return new SteadyState(
                "steady",
                "tpot_ns",
                20,
                4,
                null,
                null,
                1600,
                600,
                0.1,
                0.0,
                0.5,
                null,
                window,
                new SuperPasses(100, null, judgement),
                null);
    }

    private static Metric series(String name, long value) {
        Histogram histogram = new Histogram(1, 3600 * SECOND, 3);
        histogram.recordValueWithCount(value, 1000);
        SeriesMetric base = ExampleRuns.series(name, histogram);
        return new SeriesMetric(
                name,
                1000,
                value * 1000,
                value,
                value,
                0.0,
                Map.of("50.0", (double) value, "90.0", (double) value, "99.0", (double) value),
                base.histogram(),
                null,
                base.detail());
    }

    static Submission.Statements stated() {
        Map<String, Object> node = new LinkedHashMap<>(Map.of(
                "system_node_ensemble_id", 1L,
                "host_processor_core_count", 64L,
                "host_memory_configuration", "x",
                "host_network_card_count", "1",
                "driver", "1",
                "filesystem", "ext4",
                "cooling", "air"));
        node.put("accelerator_info", List.of(Map.of("accelerators_per_node", 8L)));
        Map<String, Object> system = new LinkedHashMap<>(Map.of(
                "system_name", "ex 8x",
                "shortened_system_name", "ex8",
                "system_availability_status", "Available",
                "availability_url", "https://example.org",
                "division", "Standardized",
                "system_size", "8 nodes",
                "system_node_ensemble_count", 1L,
                "system_node_ensemble_total", 8L));
        system.put("node_types", List.of(node));
        return new Submission.Statements(system, ProvisionedPowerTest.eightNodes("air"), disclosure(), null, "vllm");
    }

    static Map<String, Object> disclosure() {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of(
                "division", "Standardized",
                "model_precision", "fp8",
                "link_to_model", "https://example.org/m",
                "dataset_name", "Example",
                "dataset_type", "Performance",
                "dataset_link", "https://example.org/d",
                "seed_set", "A",
                "target_cohort", "2026-10-C1"));
        fields.put(
                "points",
                Map.of(
                        8L,
                        Map.of(
                                "nodes_used", List.of(Map.of("system_node_ensemble_id", 1L, "nodes", 4L)),
                                "system_desc", Map.of("data_parallel", 4L))));
        return fields;
    }

    static void write(Submission submission, Path directory) throws IOException {
        for (Map.Entry<String, String> each : submission.files().entrySet()) {
            Path file = directory.resolve(each.getKey());
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, each.getValue());
        }
    }
}
