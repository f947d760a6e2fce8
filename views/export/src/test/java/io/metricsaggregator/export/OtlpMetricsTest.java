package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpMetricsTest {
    private static final String PREFIX = "metrics_aggregator_";
    private static final Path FULL = Path.of("../../core/snapshot/src/test/resources/pins/snapshot.json");

    private static MetricData metric(String name) {
        MetricsSnapshot snapshot = ExportFixture.snapshot();
        List<MetricData> metrics =
                OtlpMetrics.of(snapshot, SnapshotExport.of(snapshot).metrics());
        return metrics.stream()
                .filter(each -> each.getName().equals(PREFIX + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_counter_is_a_cumulative_monotonic_sum_from_the_start_of_the_run() {
        MetricData metric = metric("tracked_duration_seconds");
        assertThat(metric.getType()).isEqualTo(MetricDataType.DOUBLE_SUM);
        assertThat(metric.getUnit()).isEqualTo("s");
        assertThat(metric.getDoubleSumData().isMonotonic()).isTrue();
        assertThat(metric.getDoubleSumData().getAggregationTemporality()).isEqualTo(AggregationTemporality.CUMULATIVE);
        DoublePointData point = metric.getDoubleSumData().getPoints().iterator().next();
        assertThat(point.getValue()).isEqualTo(1.5);
        assertThat(point.getStartEpochNanos()).isEqualTo(1000);
        assertThat(point.getEpochNanos()).isEqualTo(2000);
    }

    /** A snapshot with everything a run can have, and besides it each known counter and series. */
    private static List<Exported> everything() throws IOException {
        MetricsSnapshot full = new JsonSnapshotCodec().decode(ByteBuffer.wrap(Files.readAllBytes(FULL)));
        List<Metric> metrics = new ArrayList<>();
        for (CounterName each : CounterName.values()) {
            metrics.add(new CounterMetric(each.wire(), 1));
        }
        for (SeriesName each : SeriesName.values()) {
            metrics.add(ExportFixture.series(each.wire(), 10));
        }
        MetricsSnapshot all = new MetricsSnapshot(
                full.counter(), full.timestampNanos(), full.state(), full.pendingTasks(), metrics, full.extensions());
        return SnapshotExport.of(all, true).metrics();
    }

    /** The names in the answer of {@code /metrics}, without those of single series of a histogram. */
    private static Set<String> scraped(List<Exported> metrics) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create()
                .write(
                        out,
                        PrometheusMetrics.of(metrics, null, (name, cause) -> fail(name, cause)),
                        EscapingScheme.UNDERSCORE_ESCAPING);
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void a_receiver_that_translates_to_prometheus_leaves_every_name_as_it_is_scraped() throws IOException {
        List<Exported> metrics = everything();
        Set<String> scraped = scraped(metrics);
        assertThat(scraped).hasSizeGreaterThan(190);
        Set<String> translated = OtlpMetrics.of(ExportFixture.snapshot(), metrics).stream()
                .map(OtlpTranslator::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(translated).isEqualTo(scraped);
    }

    @ParameterizedTest(name = "{0} with unit {1}")
    @CsvSource({
        "m_in_flight, 1, false, true, m_in_flight_ratio",
        "m_total_bytes, By, true, false, m_bytes_total",
        "m_waited, s, true, false, m_waited_seconds_total",
        "m_speed, {token}/s, false, false, m_speed_per_second",
        "m_tokens_per_second, {token}/s, false, false, m_tokens_per_second_per_second",
        "m__a.b, {sample}, false, true, m_a_b",
        "9_lives, m/s, false, true, _9_lives_meters_per_second"
    })
    void the_translation_has_the_results_of_prometheus(
            String name, String unit, boolean counter, boolean gauge, String expected) {
        assertThat(OtlpTranslator.name(name, unit, counter, gauge)).isEqualTo(expected);
    }

    @Test
    void the_node_is_the_host_name_of_the_resource() {
        assertThat(metric("session_state").getResource().getAttribute(AttributeKey.stringKey("host.name")))
                .isEqualTo("gpu-1");
    }

    @Test
    void a_gauge_keeps_the_labels_of_each_point() {
        MetricData metric = metric("session_state");
        assertThat(metric.getType()).isEqualTo(MetricDataType.DOUBLE_GAUGE);
        assertThat(metric.getDoubleGaugeData().getPoints())
                .hasSize(SessionState.values().length)
                .filteredOn(point -> point.getValue() == 1)
                .extracting(point -> point.getAttributes().get(AttributeKey.stringKey("state")))
                .containsExactly("live");
    }

    @Test
    void a_series_is_an_exponential_histogram_whose_buckets_hold_its_values() {
        MetricData metric = metric("ttft_seconds");
        assertThat(metric.getType()).isEqualTo(MetricDataType.EXPONENTIAL_HISTOGRAM);
        ExponentialHistogramPointData point =
                metric.getExponentialHistogramData().getPoints().iterator().next();
        assertThat(point.getCount()).isEqualTo(3);
        assertThat(point.getSum()).isEqualTo(0.33, within(1e-9));
        assertThat(point.getMin()).isEqualTo(0.01, within(1e-9));
        assertThat(point.getMax()).isEqualTo(0.3, within(1e-9));
        // Bucket i holds values in (base^i, base^(i+1)], with base = 2^(2^-scale).
        List<Long> counts = point.getPositiveBuckets().getBucketCounts();
        double base = Math.pow(2, Math.pow(2, -point.getScale()));
        double lowest = Math.pow(base, point.getPositiveBuckets().getOffset());
        double highest = Math.pow(base, point.getPositiveBuckets().getOffset() + counts.size());
        assertThat(0.01).isBetween(lowest * 0.999, lowest * base * 1.001);
        assertThat(0.3).isBetween(highest / base * 0.999, highest * 1.001);
        assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
    }

    @Test
    void the_resource_names_the_service_and_the_run() {
        assertThat(metric("in_flight").getResource().getAttributes().asMap())
                .containsAllEntriesOf(Map.of(
                        AttributeKey.stringKey("service.name"), "metrics-aggregator",
                        AttributeKey.stringKey("service.instance.id"), "cafe"));
    }

    @Test
    void a_snapshot_without_extensions_has_times_of_0_and_no_instance() {
        MetricsSnapshot bare = new MetricsSnapshot(
                1, 5, SessionState.LIVE, 0, ExportFixture.snapshot().metrics(), SnapshotExtensions.NONE);
        MetricData metric =
                OtlpMetrics.of(bare, SnapshotExport.of(bare).metrics()).get(0);
        assertThat(metric.getResource().getAttribute(AttributeKey.stringKey("service.instance.id")))
                .isEmpty();
        assertThat(metric.getData().getPoints().iterator().next().getEpochNanos())
                .isZero();
    }
}
