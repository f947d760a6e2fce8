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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    @Test
    void a_browser_sees_the_demo_move() throws IOException, InterruptedException {
        try (RunningProcess demo =
                Cli.start("demo", "--web", "0", "--duration", "4s", "--output-dir", directory.toString())) {
            demo.awaitOut("The live page is http");
            Matcher page = Pattern.compile("The live page is (http://127\\.0\\.0\\.1:\\d+/\\S*)")
                    .matcher(demo.out());
            assertThat(page.find()).as("%s", demo).isTrue();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(page.group(1))).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("<html");
            assertThat(demo.awaitExit(Duration.ofMinutes(2))).as("%s", demo).isZero();
        }
    }
}
