package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A synthetic load whose records carry every optional key, over sockets. */
class OptionalKeysIT {
    @TempDir
    Path directory;

    @Test
    void labelsPartsAndUsageOfALoadAreInItsSnapshotAndReports() throws IOException {
        String events = "ipc://" + directory.resolve("events");
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events)) {
            try (RunningProcess load = Cli.start(
                    "produce", "--out", "connect:" + events, "--optional-keys", "--fast", "--duration", "30s")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        long succeeded = last.counterValue("tracked_samples_succeeded");
        assertThat(succeeded).isPositive();
        assertThat(last.series("usage_completion_tokens").count()).isEqualTo(succeeded);
        assertThat(last.series("ttfo_ns").count()).isEqualTo(succeeded);
        assertThat(last.series("thinking_ns").count()).isPositive().isLessThan(succeeded);
        assertThat(last.counterValue("usage_missing")).isZero();
        LabelBreakdown labels = last.extensions().optional().labels();
        assertThat(labels.keys())
                .extracting(LabelBreakdown.Key::name)
                .containsExactlyInAnyOrder("endpoint", "tenant", "worker");
        for (LabelBreakdown.Key key : labels.keys()) {
            assertThat(key.values().stream()
                            .mapToLong(LabelBreakdown.Value::completed)
                            .sum())
                    .as(key.name())
                    .isEqualTo(last.counterValue("tracked_samples_completed"));
            assertThat(key.values())
                    .allSatisfy(each -> assertThat(each.inFlight()).isZero());
        }
        Conversations conversations = last.extensions().optional().conversations();
        assertThat(conversations.byTurn())
                .extracting(Conversations.Turns::place)
                .containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(conversations.byTurn().stream()
                        .mapToLong(Conversations.Turns::completed)
                        .sum())
                .isEqualTo(last.counterValue("tracked_samples_completed"));
        assertThat(conversations.byTurn().get(3).cachedShare())
                .as("a later turn repeats those before it")
                .isGreaterThan(conversations.byTurn().get(0).cachedShare());
        assertThat(last.counterValue("turns_overlapping")).isZero();
        try (RunningProcess report = Cli.start("report", output.toString(), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out())
                    .contains("By endpoint", "By tenant", "skew: most over mean")
                    .contains("time to first answer", "between tokens", "inter-token latency is");
        }
    }
}
