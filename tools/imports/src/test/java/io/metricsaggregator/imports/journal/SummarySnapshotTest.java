package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the summary of a tool does not have is null in the snapshot, with a reason, and never 0. */
class SummarySnapshotTest {
    @TempDir
    private Path folder;

    private MetricsSnapshot read(String format, String text) throws Exception {
        ImportFormat named = Formats.named(format);
        assertThat(named).isNotNull();
        try (Importer importer = new Importer(named, ImportOptions.DEFAULT, folder, () -> {})) {
            importer.read(CollectingSink.source(text));
            ImportedPart part = importer.finish().get(0);
            Imported imported = importer.describe(part);
            return SummarySnapshot.of(part, imported, "00112233445566ff", "1", Map.of());
        }
    }

    private static Map<?, ?> json(MetricsSnapshot snapshot, String series) throws Exception {
        Map<?, ?> document = JsonTree.read(new JsonSnapshotCodec().encode(snapshot));
        for (Object each : (List<?>) document.get("metrics")) {
            if (((Map<?, ?>) each).get("name").equals(series)) {
                return (Map<?, ?>) each;
            }
        }
        throw new AssertionError("no series " + series);
    }

    private static @Nullable String reason(MetricsSnapshot snapshot, String name) {
        Imported imported = snapshot.extensions().isNone()
                ? null
                : snapshot.extensions().run().imported();
        return imported == null ? null : imported.unknowable().get(name);
    }

    @Test
    void a_missing_minimum_maximum_and_deviation_are_null_with_a_reason() throws Exception {
        MetricsSnapshot snapshot = read(
                "vllm",
                "{\"endpoint_type\":\"openai\",\"num_prompts\":4,\"completed\":3,\"failed\":1,\"mean_ttft_ms\":200.0,"
                        + "\"median_ttft_ms\":190.0,\"mean_itl_ms\":55.0,\"p99_itl_ms\":60.0}");
        Map<?, ?> ttft = json(snapshot, "ttft_ns");

        assertThat(ttft.get("count")).isEqualTo(3L);
        assertThat(ttft.get("total")).isEqualTo(600e6);
        for (String unknown : List.of("min", "max", "sum_sq")) {
            assertThat(ttft.containsKey(unknown)).isTrue();
            assertThat(ttft.get(unknown)).isNull();
        }
        assertThat(reason(snapshot, "min")).contains("ttft_ns");
        assertThat(reason(snapshot, "max")).contains("ttft_ns");
        assertThat(reason(snapshot, "std_dev")).contains("ttft_ns");
        assertThat(reason(snapshot, "percentiles")).contains("p90, p95, p99 of ttft_ns");
        assertThat(reason(snapshot, "chunk_delta_ns")).startsWith("no count");

        MetricsSnapshot again =
                new JsonSnapshotCodec().decode(ByteBuffer.wrap(new JsonSnapshotCodec().encode(snapshot)));
        assertThat(again.series("ttft_ns")).isEqualTo(snapshot.series("ttft_ns"));
    }

    @Test
    void a_missing_mean_is_null() throws Exception {
        MetricsSnapshot snapshot = read(
                "aiperf-summary",
                "{\"schema_version\":\"1\",\"request_latency\":{\"unit\":\"ms\",\"p99\":3.0,\"count\":2}}");
        SeriesMetric latency = snapshot.series("sample_latency_ns");

        assertThat(latency).isNotNull();
        assertThat(latency.mean()).isNull();
        assertThat(json(snapshot, "sample_latency_ns").get("total")).isNull();
        assertThat(reason(snapshot, "mean")).isNotNull();
    }

    @Test
    void a_standard_deviation_of_the_population_becomes_that_of_the_sample_and_one_of_a_sample_stays()
            throws Exception {
        SeriesMetric numpy = read(
                        "vllm",
                        "{\"endpoint_type\":\"openai\",\"num_prompts\":3,\"completed\":3,\"mean_ttft_ms\":200.0,\"std_ttft_ms\":5.0}")
                .series("ttft_ns");
        SeriesMetric pandas = read(
                        "llmperf",
                        "{\"results_num_completed_requests\":3,\"results_end_to_end_latency_s_mean\":0.2,"
                                + "\"results_end_to_end_latency_s_stddev\":0.005}")
                .series("sample_latency_ns");

        assertThat(deviation(numpy)).isCloseTo(5e6 * Math.sqrt(1.5), Offset.offset(1.0));
        assertThat(deviation(pandas)).isCloseTo(5e6, Offset.offset(1.0));
    }

    private static double deviation(@Nullable SeriesMetric series) {
        assertThat(series).isNotNull();
        double n = series.count();
        double total = series.total().doubleValue();
        return Math.sqrt((series.sumSq().doubleValue() - total * total / n) / (n - 1));
    }

    @Test
    void the_dates_are_those_of_the_file() throws Exception {
        String file = Files.readString(Path.of("src/test/resources/real/locust/clean/run.json"));
        SnapshotExtensions locust = read("locust", file).extensions();

        assertThat(locust).isNotNull();
        assertThat(locust.run().startedWallNanos()).isEqualTo(1_795_611_913_825_679_000L);
        assertThat(locust.run().wallNanos()).isEqualTo(1_795_611_923_218_101_000L);

        SnapshotExtensions undated = read("locust", file.replaceAll("\"start_time\": [0-9.]+", "\"start_time\": 0"))
                .extensions();
        assertThat(undated).isNotNull();
        assertThat(undated.run().hasDates()).isFalse();
    }

    @Test
    void a_date_without_an_end_ends_with_the_duration_of_the_run() throws Exception {
        try (Importer importer = new Importer(
                Objects.requireNonNull(Formats.named("inference-perf")), ImportOptions.DEFAULT, folder, () -> {})) {
            importer.read(
                    CollectingSink.source(
                            "{\"benchmark_time_seconds\":2.5,\"load_summary\":{\"count\":1},\"successes\":"
                                    + "{\"count\":1,\"latency\":{\"request_latency\":{\"mean\":0.2}}},\"failures\":{\"count\":0}}"));
            importer.read(CollectingSink.source("run: {time: {start: '2026-11-25T00:00:00Z'}}"));
            ImportedPart part = importer.finish().get(0);
            SnapshotExtensions dated = SummarySnapshot.of(
                            part, importer.describe(part), "00112233445566ff", "1", Map.of())
                    .extensions();

            assertThat(dated).isNotNull();
            assertThat(dated.run().wallNanos() - dated.run().startedWallNanos()).isEqualTo(2_500_000_000L);
        }
    }

    @Test
    void a_time_to_first_token_of_0_is_unknown() throws Exception {
        MetricsSnapshot snapshot = read(
                "sglang",
                "{\"backend\":\"sglang\",\"completed\":7,\"total_output_tokens_retokenized\":5,\"mean_e2e_latency_ms\":4000.0,"
                        + "\"mean_ttft_ms\":0.0,\"p99_ttft_ms\":0.0}");

        assertThat(snapshot.series("ttft_ns")).isNull();
        assertThat(reason(snapshot, "ttft_ns")).contains("0");
        assertThat(snapshot.series("sample_latency_ns")).isNotNull();
    }
}
