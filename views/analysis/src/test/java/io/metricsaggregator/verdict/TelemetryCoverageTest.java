package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TelemetryCoverageTest {
    private static Map<String, Object> target(String job, boolean reached, long scrapes, long failed, long early) {
        return Map.of(
                "job", job,
                "instance", "node1",
                "reachable", reached,
                "ever_reached", reached,
                "n_scrapes", scrapes,
                "n_failed", failed,
                "n_failed_before_session", early,
                "scrape_duration", Map.of());
    }

    private static Finding finding(List<Map<String, Object>> targets) {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(2, "cafe", "1", 0, 1, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .telemetry(TelemetrySnapshots.of(Map.of("scrape", Map.of("targets", targets))))
                .build();
        List<Finding> findings = new TelemetryCoverage()
                .judge(new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), extensions));
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    @Test
    void scrapes_that_failed_before_the_session_are_named_and_no_remark() {
        Finding finding = finding(List.of(target("a", true, 43, 12, 12)));
        assertThat(finding.weight()).isEqualTo(Finding.Weight.GOOD);
        assertThat(finding.evidence()).contains("12 scrapes failed before the session began");
    }

    @Test
    void scrapes_that_failed_within_the_session_are_a_remark() {
        Finding finding = finding(List.of(target("a", true, 43, 14, 12)));
        assertThat(finding.weight()).isEqualTo(Finding.Weight.REMARK);
        assertThat(finding.evidence()).isEqualTo("2 other scrapes failed");
    }

    @Test
    void targets_of_one_instance_are_told_apart_by_their_jobs() {
        assertThat(finding(List.of(target("rank1", false, 3, 3, 0), target("rank2", false, 3, 3, 3)))
                        .evidence())
                .isEqualTo("node1 (rank1) never answered; node1 (rank2) never answered");
    }
}
