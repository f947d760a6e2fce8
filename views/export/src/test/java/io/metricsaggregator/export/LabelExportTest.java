package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Samples by label as exported metrics. */
class LabelExportTest {
    @Test
    void a_value_without_successes_exports_counts_and_no_tokens_and_latencies() {
        LabelBreakdown.Durations durations = new LabelBreakdown.Durations(9, 100, 100, 100, 100);
        DistinctMetrics out = new DistinctMetrics();
        LabelExport.add(
                new LabelBreakdown(List.of(new LabelBreakdown.Key(
                        "endpoint",
                        List.of(
                                new LabelBreakdown.Value("good", 9, 9, 0, 0, 90, 70, durations, durations),
                                new LabelBreakdown.Value("bad", 5, 5, 5, 0, 0, 0, null, null))))),
                out);
        List<Exported> metrics = out.finish().metrics();
        assertThat(names(metrics, "bad"))
                .containsExactlyInAnyOrder(
                        "metrics_aggregator_label_issued",
                        "metrics_aggregator_label_completed",
                        "metrics_aggregator_label_failed",
                        "metrics_aggregator_label_in_flight");
        assertThat(names(metrics, "good"))
                .contains(
                        "metrics_aggregator_label_input_tokens",
                        "metrics_aggregator_label_output_tokens",
                        "metrics_aggregator_label_latency_p99_seconds");
    }

    private static List<String> names(List<Exported> metrics, String value) {
        Map<String, String> labels = Map.of("key", "endpoint", "value", value);
        return metrics.stream()
                .filter(each -> labels.equals(
                        each instanceof Exported.Counter counter ? counter.labels() : ((Exported.Gauge) each).labels()))
                .map(Exported::name)
                .toList();
    }
}
