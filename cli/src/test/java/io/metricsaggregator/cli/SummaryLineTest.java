package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.view.SummaryLine;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryLineTest {
    private static MetricsSnapshot snapshot() {
        Map<String, Long> counters = Map.of(
                "total_samples_issued", 1_234_567L,
                "total_samples_completed", 1_234_500L,
                "tracked_samples_issued", 1_200_000L,
                "tracked_samples_completed", 1_200_000L,
                "tracked_samples_succeeded", 1_190_000L,
                "tracked_samples_errored", 10_000L,
                "tracked_samples_failed", 10_000L);
        List<Metric> metrics = new ArrayList<>();
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(2, "cafe", "1.0", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(67, 67, 0, 90, 5_000_000_000L),
                        new Slices(0, 1_000_000_000L, 0, List.of()))
                .rates(List.of(new Rate(10, 10.0, 100.0, 99.0, 98.7, 0.0, 0.0, 0.0)))
                .build();
        return new MetricsSnapshot(42, 1, SessionState.LIVE, 0, metrics, extensions);
    }

    @Test
    void a_log_has_every_part_and_a_narrow_terminal_whole_parts_only() {
        String whole = SummaryLine.of(snapshot());
        assertThat(whole)
                .isEqualTo("LIVE        #42    issued 1,234,567  succeeded 1,190,000  failed 10,000  untracked 34,500"
                        + "  in flight 67 (oldest 5.0 s)  98.7 req/s");
        assertThat(SummaryLine.of(snapshot(), 85))
                .isEqualTo("LIVE        #42    issued 1,234,567  succeeded 1,190,000  failed 10,000  98.7 req/s");
        for (int width = 40; width < 200; width++) {
            String line = SummaryLine.of(snapshot(), width);
            assertThat(line.length()).isLessThanOrEqualTo(width);
            assertThat(whole).contains(line.split("  (?=[a-z\\d])"));
        }
    }
}
