package io.metricsaggregator.telemetry.metric;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.telemetry.TelemetryFolds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricFoldTest {
    private static Map<String, Object> metric(String type, String name, Object value) {
        return fields("event_type", type, "timestamp_ns", 5_000_000_000L, "name", name, "value", value, "unit", "s");
    }

    private static Map<?, ?> row(MetricFold fold, String name) {
        return (Map<?, ?>) ((List<?>) fold.snapshot(true).tree().get("rows"))
                .stream()
                        .filter(each -> ((Map<?, ?>) each).get("name").equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void countersAddUpGaugesKeepTheLatestValueAndSeriesHavePercentiles() throws Exception {
        MetricFold fold = new MetricFold();
        for (int i = 1; i <= 100; i++) {
            fold.apply(observation(metric("metric.count", "tokens", (long) i)));
            fold.apply(observation(metric("metric.gauge", "depth", -1.5 * i)));
            fold.apply(observation(metric("metric.record", "wait", i / 10.0)));
        }
        assertThat(row(fold, "tokens").get("total")).isEqualTo(5050.0);
        assertThat(row(fold, "depth").get("last")).isEqualTo(-150.0);
        assertThat(row(fold, "depth").get("max")).isEqualTo(-1.5);
        assertThat(row(fold, "wait").get("p50")).isEqualTo(5.05);
        assertThat(row(fold, "wait").get("unit")).isEqualTo("s");
    }

    @Test
    void theSameNameWithOtherLabelsIsAnotherMetric() throws Exception {
        MetricFold fold = new MetricFold();
        for (String phase : List.of("prefill", "decode", "prefill")) {
            Map<String, Object> count = metric("metric.count", "n", 1L);
            count.put("labels", Map.of("phase", phase));
            fold.apply(observation(count));
        }
        assertThat((List<?>) fold.snapshot(false).tree().get("rows")).hasSize(2);
    }

    @Test
    void metricsBeyondTheLimitShareARowAndAreCounted() throws Exception {
        MetricFold fold = new MetricFold();
        for (int i = 0; i < MetricFold.SERIES_MAX + 7; i++) {
            fold.apply(observation(metric("metric.count", "n" + i, 2L)));
        }
        assertThat(row(fold, "other").get("total")).isEqualTo(14.0);
        assertThat(fold.snapshot(false).tree().get("records_over_limit")).isEqualTo(7L);
    }

    @Test
    void malformedMetricsAreRejectedByReason() {
        TelemetryFolds telemetry = new TelemetryFolds();
        Map<String, Object> many = metric("metric.count", "n", 1L);
        many.put("labels", Map.of("1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", ""));
        for (Map<String, Object> wrong : List.of(
                metric("metric.sum", "n", 1L),
                metric("metric.count", "n", -1L),
                metric("metric.gauge", "n", Double.NaN),
                metric("metric.record", "", 1L),
                many)) {
            assertThat(telemetry.apply(observation(wrong))).as("%s", wrong).isFalse();
        }
        assertThat(telemetry.rejected())
                .extracting(row -> row.reason())
                .containsExactly(
                        "metric.unknown_type",
                        "metric.negative_value",
                        "metric.invalid_value",
                        "metric.invalid_name",
                        "metric.too_many_labels");
    }
}
