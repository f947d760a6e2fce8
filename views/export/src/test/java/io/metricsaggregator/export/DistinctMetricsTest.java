package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DistinctMetricsTest {
    private final DistinctMetrics metrics = new DistinctMetrics();

    private static Exported counter(String name, Map<String, String> labels, double value) {
        return new Exported.Counter(name, "help", labels, value);
    }

    private static Exported gauge(String name, Map<String, String> labels, double value) {
        return new Exported.Gauge(name, "help", labels, value);
    }

    @Test
    void counters_with_the_same_labels_are_added_up_and_counted() {
        List.of(
                        counter("c", Map.of("worker", "3"), 2),
                        counter("c", Map.of("worker", "4"), 5),
                        counter("c", Map.of("worker", "3"), 40))
                .forEach(metrics::add);
        ExportModel model = metrics.finish();
        assertThat(model.metrics())
                .containsExactly(counter("c", Map.of("worker", "3"), 42), counter("c", Map.of("worker", "4"), 5));
        assertThat(model.conflicts()).isEqualTo(1);
    }

    @Test
    void gauges_with_the_same_labels_are_distinguished_by_an_extra_label() {
        List.of(gauge("g", Map.of(), 1), gauge("g", Map.of(), 2), gauge("g", Map.of(), 3))
                .forEach(metrics::add);
        ExportModel model = metrics.finish();
        assertThat(model.metrics())
                .containsExactly(
                        gauge("g", Map.of(), 1),
                        gauge("g", Map.of("conflict", "1"), 2),
                        gauge("g", Map.of("conflict", "2"), 3));
        assertThat(model.conflicts()).isEqualTo(2);
    }

    @Test
    void negative_counters_and_names_of_another_metric_type_are_omitted_and_counted() {
        List.of(counter("c", Map.of(), -1), gauge("g", Map.of(), 7), counter("g", Map.of(), 8))
                .forEach(metrics::add);
        ExportModel model = metrics.finish();
        assertThat(model.metrics()).containsExactly(gauge("g", Map.of(), 7));
        assertThat(model.leftOut()).isEqualTo(2);
    }
}
