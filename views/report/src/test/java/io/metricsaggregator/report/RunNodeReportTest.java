package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.dialect.JsonReport;
import io.metricsaggregator.report.html.HtmlReport;
import io.metricsaggregator.report.text.TextReport;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunNodeReportTest {
    private static Report report(@Nullable String node, @Nullable ClockOffset offset) {
        return Report.of(new MetricsSnapshot(
                1,
                2,
                SessionState.COMPLETE,
                0,
                List.of(),
                SnapshotExtensions.of(
                                new RunInfo(
                                        2, "cafe", "1.0", 1, 2, List.of(), List.of(), Map.of(), Map.of(), null,
                                        Map.of(), node, offset),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .build()));
    }

    @Test
    void the_header_names_the_node_without_control_characters() {
        Report report = report("gpu-1\u001b[31m<b>", null);
        assertThat(new TextReport(report, true, ReportFormat.UNLIMITED).render())
                .contains("         on node gpu-1")
                .doesNotContain("\u001b");
        assertThat(HtmlReport.render(report)).contains(", on node gpu-1").doesNotContain("\u001b", "31m<b>");
    }

    @Test
    void a_report_of_a_run_without_a_node_says_nothing_of_it() {
        Report report = report(null, null);
        assertThat(new TextReport(report, true, ReportFormat.UNLIMITED).render())
                .doesNotContain("node");
        assertThat(HtmlReport.render(report)).doesNotContain("on node");
    }

    @Test
    void json_has_the_node_and_its_clock() throws Exception {
        Map<?, ?> tree = JsonTree.read(
                new JsonReport().render(report("gpu-1", new ClockOffset(5, 2))).getBytes(StandardCharsets.UTF_8));
        Map<?, ?> run = (Map<?, ?>) tree.get("run");
        assertThat(run.get("node")).isEqualTo("gpu-1");
        assertThat(run.get("wall_offset_ns")).isEqualTo(5L);
        assertThat(run.get("wall_offset_uncertainty_ns")).isEqualTo(2L);
    }
}
