package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Slices;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenAiExportTest {
    private static final long MILLI = 1_000_000L;

    private final List<Metric> series = new ArrayList<>();
    private final List<SnapshotExtensions.ErrorRow> errors = new ArrayList<>();
    private Map<String, String> labels = Map.of();
    private LabelBreakdown byLabel = LabelBreakdown.BLANK;

    private SeriesMetric series(String name, long... values) {
        SeriesMetric metric = ExportFixture.series(name, values);
        series.add(metric);
        return metric;
    }

    private void error(String type) {
        errors.add(new SnapshotExtensions.ErrorRow("error.generic", type, 1, "", 0, 0));
    }

    private static LabelBreakdown.Key key(String name, String... values) {
        return new LabelBreakdown.Key(
                name,
                Arrays.stream(values)
                        .map(each -> new LabelBreakdown.Value(each, 1, 1, 0, 0, 0, 0, null, null))
                        .toList());
    }

    private MetricsSnapshot snapshot() {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1, "cafe", "1.0", 1000, 2000, List.of(), List.of(), Map.of(), Map.of(), null, labels,
                                null, null),
                        new SnapshotExtensions.InFlight(0, 9, 0, 9, 0),
                        new Slices(0, 1_000 * MILLI, 0, List.of()))
                .errors(errors)
                .build()
                .withOptional(new OptionalFigures(null, null, byLabel, null, null, null, null));
        return new MetricsSnapshot(3, 1_500 * MILLI, SessionState.LIVE, 0, series, extensions);
    }

    private MetricData metric(String name) {
        MetricsSnapshot snapshot = snapshot();
        return OtlpMetrics.of(snapshot, SnapshotExport.of(snapshot, true).metrics()).stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Collection<ExponentialHistogramPointData> points(String name) {
        return metric(name).getExponentialHistogramData().getPoints();
    }

    private ExponentialHistogramPointData point(String name) {
        return points(name).iterator().next();
    }

    private static @Nullable Object attribute(ExponentialHistogramPointData point, String name) {
        return point.getAttributes().asMap().entrySet().stream()
                .filter(each -> each.getKey().getKey().equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static void assertAgrees(ExponentialHistogramPointData point, SeriesMetric ours, double unit) {
        assertThat(point.getCount()).isEqualTo(ours.count());
        assertThat(point.getSum()).isCloseTo(ours.total().doubleValue() * unit, within(1e-9));
        assertThat(point.getMin()).isCloseTo(ours.min().doubleValue() * unit, within(1e-9));
        assertThat(point.getMax()).isCloseTo(ours.max().doubleValue() * unit, within(1e-9));
        long inBuckets = point.getPositiveBuckets().getBucketCounts().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(inBuckets + point.getZeroCount()).isEqualTo(ours.count());
    }

    @Test
    void a_time_to_first_chunk_has_the_traces_of_its_slowest_samples() {
        MetricsSnapshot snapshot = ExportFixture.withTraces();
        ExponentialHistogramPointData point =
                OtlpMetrics.of(snapshot, SnapshotExport.of(snapshot, true).metrics()).stream()
                        .filter(each -> each.getName().equals("gen_ai.client.operation.time_to_first_chunk"))
                        .flatMap(each -> each.getExponentialHistogramData().getPoints().stream())
                        .findFirst()
                        .orElseThrow();
        assertThat(point.getExemplars())
                .extracting(
                        each -> each.getSpanContext().getTraceId(),
                        each -> each.getSpanContext().getSpanId(),
                        DoubleExemplarData::getValue,
                        each -> TimeUnit.NANOSECONDS.toMillis(each.getEpochNanos()))
                .containsExactly(
                        tuple("0af7651916cd43dd8448eb211c80319c", "00000000000000b7", 0.3, 1_000_500L),
                        tuple("0af7651916cd43dd8448eb211c80319d", "00000000000000b8", 0.02, 1_000_500L));
    }

    @Test
    void each_metric_has_the_values_of_our_series() {
        SeriesMetric latency = series("sample_latency_ns", 310 * MILLI, 450 * MILLI, 2_000 * MILLI);
        SeriesMetric first = series("ttft_ns", 20 * MILLI, 25 * MILLI, 90 * MILLI, 91 * MILLI);
        SeriesMetric chunks = series("chunk_delta_ns", 4 * MILLI, 5 * MILLI);
        SeriesMetric input = series("isl", 12, 400);
        SeriesMetric output = series("osl", 5, 0);

        assertAgrees(point("gen_ai.client.operation.duration"), latency, 1e-9);
        assertAgrees(point("gen_ai.client.operation.time_to_first_chunk"), first, 1e-9);
        assertAgrees(point("gen_ai.client.operation.time_per_output_chunk"), chunks, 1e-9);
        assertThat(points("gen_ai.client.token.usage"))
                .satisfiesExactly(point -> assertAgrees(point, input, 1), point -> assertAgrees(point, output, 1))
                .extracting(point -> attribute(point, "gen_ai.token.type"))
                .containsExactly("input", "output");
        assertThat(metric("gen_ai.client.token.usage").getUnit()).isEqualTo("{token}");
        assertThat(metric("gen_ai.client.operation.duration").getUnit()).isEqualTo("s");
        assertThat(metric("gen_ai.client.operation.duration").getType())
                .isEqualTo(MetricDataType.EXPONENTIAL_HISTOGRAM);
    }

    @Test
    void a_value_is_in_the_bucket_between_whose_bounds_it_lies() {
        // The middle of bucket i, in nanoseconds, at 32 buckets an octave; the lower bound of bucket i is 2^(i/32).
        int[] buckets = {-200, -199, -150, -64, -1, 0, 1, 31, 32, 100};
        series(
                "sample_latency_ns",
                Arrays.stream(buckets)
                        .mapToLong(each -> Math.round(Math.pow(2, (each + 0.5) / 32) * 1e9))
                        .toArray());
        ExponentialHistogramPointData point = point("gen_ai.client.operation.duration");
        assertThat(point.getScale()).isEqualTo(5);
        List<Long> counts = point.getPositiveBuckets().getBucketCounts();
        List<Integer> filled = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            if (counts.get(i) > 0) {
                assertThat(counts.get(i)).isEqualTo(1);
                filled.add(point.getPositiveBuckets().getOffset() + i);
            }
        }
        assertThat(filled).containsExactly(Arrays.stream(buckets).boxed().toArray(Integer[]::new));
    }

    @Test
    void failed_requests_have_the_type_that_all_errors_have() {
        series("sample_latency_ns", 10 * MILLI, 20 * MILLI, 5 * MILLI);
        SeriesMetric succeeded = series("succeeded_sample_latency_ns", 10 * MILLI, 20 * MILLI);
        SeriesMetric failed = series("failed_sample_latency_ns", 5 * MILLI);
        error("Timeout");
        assertThat(points("gen_ai.client.operation.duration"))
                .satisfiesExactly(
                        point -> assertAgrees(point, succeeded, 1e-9), point -> assertAgrees(point, failed, 1e-9))
                .extracting(point -> attribute(point, "error.type"))
                .containsExactly(null, "Timeout");
        error("Reset");
        assertThat(points("gen_ai.client.operation.duration"))
                .extracting(point -> attribute(point, "error.type"))
                .containsExactly(null, "_OTHER");
    }

    @Test
    void tokens_that_the_server_reports_win_over_counted_ones() {
        series("isl", 12);
        SeriesMetric reported = series("usage_prompt_tokens", 14, 15);
        assertAgrees(point("gen_ai.client.token.usage"), reported, 1);
    }

    @Test
    void attributes_are_labels_of_the_run_or_those_that_all_samples_share() {
        series("ttft_ns", MILLI);
        labels = Map.of("model", "llama", "concurrency", "8");
        byLabel = new LabelBreakdown(List.of(
                key("model", "other-name"),
                key("operation", "chat"),
                key("provider", "openai", "anthropic"),
                key("endpoint", "http://node-1:8000/v1")));
        ExponentialHistogramPointData point = point("gen_ai.client.operation.time_to_first_chunk");
        assertThat(attribute(point, "gen_ai.request.model")).isEqualTo("llama");
        assertThat(attribute(point, "gen_ai.operation.name")).isEqualTo("chat");
        assertThat(attribute(point, "server.address")).isEqualTo("node-1");
        assertThat(point.getAttributes().get(AttributeKey.longKey("server.port")))
                .isEqualTo(8000);
        assertThat(point.getAttributes().size()).isEqualTo(4);
        byLabel = new LabelBreakdown(List.of(key("operation", "chat", LabelBreakdown.NONE)));
        assertThat(point("gen_ai.client.operation.time_to_first_chunk")
                        .getAttributes()
                        .size())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "node-1, node-1,",
        "node-1:8000, node-1, 8000",
        "https://api.example.com/v1/chat, api.example.com,",
        "http://[::1]:8000, [::1], 8000",
        "http://me:secret@node-1:8000, , ",
        "a:b, , ",
    })
    void an_endpoint_is_an_address_and_its_port(String endpoint, @Nullable String address, @Nullable Long port) {
        series("ttft_ns", MILLI);
        labels = Map.of("endpoint", endpoint);
        ExponentialHistogramPointData point = point("gen_ai.client.operation.time_to_first_chunk");
        assertThat(attribute(point, "server.address")).isEqualTo(address);
        assertThat(attribute(point, "server.port")).isEqualTo(port);
    }

    @Test
    void prometheus_has_the_translated_names_with_the_bounds_of_the_conventions() throws IOException {
        series("sample_latency_ns", 9_900_000, 10_100_000, 81 * 1000 * MILLI, 83 * 1000 * MILLI);
        series("isl", 16, 17, 3);
        labels = Map.of("model", "llama");
        String text = text(true);
        String duration = "gen_ai_client_operation_duration_seconds";
        assertThat(text)
                .contains("# TYPE " + duration + " histogram\n")
                .contains(duration + "_bucket{gen_ai_request_model=\"llama\",le=\"0.01\"} 1\n")
                .contains(duration + "_bucket{gen_ai_request_model=\"llama\",le=\"0.02\"} 2\n")
                .contains(duration + "_bucket{gen_ai_request_model=\"llama\",le=\"40.96\"} 2\n")
                .contains(duration + "_bucket{gen_ai_request_model=\"llama\",le=\"81.92\"} 3\n")
                .contains(duration + "_bucket{gen_ai_request_model=\"llama\",le=\"+Inf\"} 4\n")
                .contains(duration + "_sum{gen_ai_request_model=\"llama\"} 164.02\n")
                .contains("metrics_aggregator_sample_latency_seconds_sum 164.02\n");
        String tokens =
                "gen_ai_client_token_usage_bucket{gen_ai_request_model=\"llama\",gen_ai_token_type=\"input\",le=";
        assertThat(text)
                .contains(tokens + "\"4.0\"} 1\n")
                .contains(tokens + "\"16.0\"} 2\n")
                .contains(tokens + "\"64.0\"} 3\n")
                .contains(tokens + "\"6.7108864E7\"} 3\n");
        assertThat(text(false)).doesNotContain("gen_ai");
    }

    private String text(boolean genAi) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create()
                .write(
                        out,
                        PrometheusMetrics.of(
                                SnapshotExport.of(snapshot(), genAi).metrics(),
                                null,
                                (name, cause) -> fail(name, cause)),
                        EscapingScheme.UNDERSCORE_ESCAPING);
        return out.toString(StandardCharsets.UTF_8);
    }
}
