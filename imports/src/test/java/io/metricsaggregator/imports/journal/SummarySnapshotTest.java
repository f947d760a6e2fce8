package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.snapshot.Imported;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
        Imported imported = snapshot.extensions() == null
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
