package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.LabelBreakdown;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration of everything: each kind of telemetry has a synthetic source. */
class DemoIT {
    @TempDir
    Path directory;

    @Test
    void the_full_demo_contains_every_kind_of_telemetry_and_a_report() throws IOException {
        try (RunningProcess demo =
                Cli.start("demo", "--all", "--duration", "6s", "--output-dir", directory.toString())) {
            assertThat(demo.awaitExit()).as("%s", demo).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(directory);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.extensions()).isNotNull();
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
