package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OtlpMetricsTest {
    private static final String PREFIX = "metrics_aggregator_";

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

    /** The rules of Prometheus' receiver and of the Collector's exporter (otlptranslator, with suffixes). */
    private static String translated(String name, String unit, MetricDataType type) {
        Map<String, String> words = Map.of("s", "seconds", "By", "bytes", "J", "joules", "W", "watts", "1", "");
        List<String> tokens = new ArrayList<>(List.of(name.split("_")));
        String word = unit.startsWith("{") || unit.isEmpty() ? "" : words.get(unit);
        if (!word.isEmpty() && !tokens.contains(word)) {
            tokens.add(word);
        }
        if (type == MetricDataType.DOUBLE_SUM) {
            tokens.removeIf("total"::equals);
            tokens.add("total");
        }
        if (unit.equals("1") && type == MetricDataType.DOUBLE_GAUGE) {
            tokens.removeIf("ratio"::equals);
            tokens.add("ratio");
        }
        return String.join("_", tokens);
    }

    private static String scraped(String name, MetricDataType type) {
        return type == MetricDataType.DOUBLE_SUM ? name + "_total" : name;
    }

    @Test
    void a_receiver_that_translates_to_prometheus_leaves_every_name_as_it_is_scraped() {
        MetricsSnapshot snapshot = ExportFixture.snapshot();
        for (MetricData each :
                OtlpMetrics.of(snapshot, SnapshotExport.of(snapshot).metrics())) {
            assertThat(translated(each.getName(), each.getUnit(), each.getType()))
                    .isEqualTo(scraped(each.getName(), each.getType()));
        }
        for (CounterName each : CounterName.values()) {
            String name = SnapshotExport.name(each.wire());
            assertThat(translated(name, OtlpMetrics.unit(name), MetricDataType.DOUBLE_SUM))
                    .isEqualTo(scraped(name, MetricDataType.DOUBLE_SUM));
        }
        for (String name : List.of(
                "m_energy_joules",
                "m_energy_gpu_mean_watts",
                "m_goodput_target_share",
                "m_server_ttft_seconds_run_mean",
                "m_usage_cache_hit_ratio",
                "m_server_kv_cache_ratio_run_mean",
                "m_node_cpu_ratio",
                "m_self_resident_bytes")) {
            assertThat(translated(name, OtlpMetrics.unit(name), MetricDataType.DOUBLE_GAUGE))
                    .isEqualTo(name);
        }
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
