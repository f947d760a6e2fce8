package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration of everything: each kind of telemetry has a synthetic source. */
class DemoIT {
    @TempDir
    Path directory;

    @Test
    void the_full_demo_contains_every_kind_of_telemetry_and_a_report() throws IOException {
        try (RunningProcess demo = Cli.start("demo", "--all", "--output-dir", directory.toString())) {
            assertThat(demo.awaitExit(Duration.ofMinutes(2))).as("%s", demo).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(directory);
        assertThat(Verdict.of(last).findings())
                .as("a run of the default length is long enough to judge what limited it")
                .extracting(Finding::weight, Finding::what)
                .doesNotContain(tuple(Finding.Weight.UNKNOWN, "stationarity"));
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.extensions().isNone()).isFalse();
        for (TelemetryKind kind : TelemetryKind.values()) {
            assertThat(last.extensions().telemetry().get(kind)).as("%s", kind).isNotNull();
        }
        assertThat(last.extensions().optional().conversations().byTurn()).hasSizeGreaterThan(1);
        assertThat(last.extensions().optional().usage().cache().hitRatio()).isPositive();
        assertThat(last.extensions().optional().labels().keys())
                .extracting(LabelBreakdown.Key::name)
                .contains("endpoint", "tenant");
        assertThat(last.series("thinking_ns").count()).isPositive();
        assertThat(directory.resolve("report.html")).isNotEmptyFile();
    }
}
