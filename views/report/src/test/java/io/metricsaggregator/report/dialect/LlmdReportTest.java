package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Conversations are sessions of a Benchmark Report, and scraped servers its components. */
class LlmdReportTest {
    private static Map<?, ?> results(OptionalFigures figures, TelemetrySnapshots telemetry) throws Exception {
        MetricsSnapshot plain = ExampleRuns.hostile(1, SessionState.COMPLETE);
        Report report = Report.of(new MetricsSnapshot(
                1,
                1,
                plain.state(),
                0,
                plain.metrics(),
                plain.extensions().toBuilder()
                        .optional(figures)
                        .telemetry(telemetry)
                        .build()));
        byte[] json = ReportFormat.LLMD.render(report, false).getBytes(StandardCharsets.UTF_8);
        return (Map<?, ?>) JsonTree.read(json).get("results");
    }

    @Test
    void conversations_are_sessions() throws Exception {
        Conversations of = new Conversations(7, 0, 0, 1, 1.0, 4, 2, 0.5, null, List.of());
        Map<?, ?> results =
                results(new OptionalFigures(null, null, null, null, of, null, null), TelemetrySnapshots.NONE);
        Map<?, ?> sessions = (Map<?, ?>) ((Map<?, ?>) results.get("session_performance")).get("sessions");
        assertThat(sessions.get("total")).isEqualTo(7L);
        assertThat(sessions.get("succeeded")).isEqualTo(4L);
        assertThat(sessions.get("failed")).isEqualTo(2L);
        assertThat(((Map<?, ?>) sessions.get("session_rate")).get("mean")).isEqualTo(0.5);
        assertThat(results.get("observability")).isNull();
    }

    @Test
    void scraped_servers_are_components_with_shares_in_percent() throws Exception {
        ServerPanel panel = new ServerPanel(
                Map.of(
                        ServerRole.KV_USAGE, new ServerFigure.Level(0.25, 0.5, 0.1),
                        ServerRole.RUNNING, new ServerFigure.Level(3, 8, 0),
                        ServerRole.PREEMPTIONS, new ServerFigure.Growth(12)),
                Map.of(),
                Map.of(ServerRatio.PREFIX_HITS, 0.75),
                "tokens",
                List.of());
        ServerSnapshot servers = new ServerSnapshot(
                new ServerSnapshot.Figures(panel, null, null),
                null,
                List.of(new ServerSnapshot.Target("vllm", "node-1:8000", "0", panel, null)),
                0);
        ScrapeSnapshot scrape = new ScrapeSnapshot(
                List.of(), SampleClock.WALL, 1000, 0, Map.of(), List.of(), List.of(), List.of(), servers, null, null);
        Map<?, ?> results = results(OptionalFigures.NONE, TelemetrySnapshots.of(List.of(scrape)));
        assertThat(results.get("session_performance")).isNull();
        Map<?, ?> component =
                (Map<?, ?>) ((List<?>) ((Map<?, ?>) results.get("observability")).get("components")).get(0);
        assertThat(component.get("component_label")).isEqualTo("vllm");
        assertThat(component.get("replica_id")).isEqualTo("node-1:8000");
        Map<?, ?> aggregate = (Map<?, ?>) component.get("aggregate");
        assertThat(aggregate.get("kv_cache_usage")).isEqualTo(Map.of("units", "percent", "mean", 25.0, "max", 50.0));
        assertThat(((Map<?, ?>) aggregate.get("cache_hit_rate")).get("mean")).isEqualTo(75.0);
        assertThat(aggregate.get("running_requests")).isEqualTo(Map.of("units", "count", "mean", 3.0, "max", 8.0));
        assertThat(aggregate.get("waiting_requests")).isNull();
        assertThat(((Map<?, ?>) aggregate.get("preemptions")).get("mean")).isEqualTo(12.0);
    }
}
