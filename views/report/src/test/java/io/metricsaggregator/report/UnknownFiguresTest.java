package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Minimum, maximum and deviation that the summary of a tool does not have are shown as unknown in every format. */
class UnknownFiguresTest {
    private static Report report() {
        SeriesMetric series = new SeriesMetric(
                "ttft_ns", 3, 600e6, Double.NaN, Double.NaN, Double.NaN, Map.of("50.0", 190e6), List.of(), null, null);
        return Report.of(new MetricsSnapshot(
                1,
                0,
                SessionState.COMPLETE,
                0,
                List.of(new CounterMetric("tracked_samples_completed", 3), series),
                SnapshotExtensions.NONE));
    }

    private static String line(String text, String start) {
        return text.lines().filter(each -> each.contains(start)).findFirst().orElseThrow();
    }

    @Test
    void text_shows_a_dash() {
        String row = line(ReportFormat.FULL.render(report(), false), "time to first token");

        assertThat(row.strip().split(" +"))
                .containsSequence("3", "200.0", "-", "-", "190.0?")
                .endsWith("-");
    }

    @Test
    void csv_leaves_the_cells_empty() {
        String csv = ReportFormat.CSV.render(report(), false);

        List<String> head = List.of(csv.lines().toList().get(0).split(","));
        int first = head.indexOf("ttft_count");
        assertThat(head.subList(first, first + 4))
                .containsExactly("ttft_count", "ttft_mean_ms", "ttft_std_dev_ms", "ttft_min_ms");
        assertThat(csv).contains(",3,200.0,,,");
    }

    @Test
    void json_has_null() throws Exception {
        Map<?, ?> json = JsonTree.read(ReportFormat.JSON.render(report(), false).getBytes(StandardCharsets.UTF_8));
        Map<?, ?> ttft = (Map<?, ?>) ((List<?>) json.get("series")).get(0);

        assertThat(ttft.get("mean")).isEqualTo(200.0);
        assertThat(ttft.get("min")).isNull();
        assertThat(ttft.get("max")).isNull();
        assertThat(ttft.get("std_dev")).isNull();
    }

    @Test
    void counts_that_the_summary_of_a_tool_does_not_have_are_unknown() {
        Imported imported = new Imported(
                "sglang",
                "SGLang benchmark",
                null,
                Imported.AGGREGATES,
                List.of(),
                null,
                0,
                null,
                Map.of(),
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                List.of());
        RunInfo run = new RunInfo(
                2, "id", "1", 0, 0, List.of(), List.of(), Map.of(), Map.of(), imported, Map.of(), null, null);
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        run, new SnapshotExtensions.InFlight(0, 0, 0, 0, 0), new Slices(0, 1, 0, List.of()))
                .build();
        Report report = Report.of(new MetricsSnapshot(
                1,
                0,
                SessionState.COMPLETE,
                0,
                List.of(new CounterMetric("tracked_samples_completed", 3)),
                extensions));

        assertThat(ReportFormat.FULL.render(report, false)).contains("issued -, succeeded 3, failed -\n");
        assertThat(ReportFormat.MD.render(report, false)).contains("\n| - | 3 | - |");
        assertThat(ReportFormat.HTML.render(report, false))
                .contains(
                        "<span>succeeded</span><b>3</b><small>of - issued</small>",
                        "<span>failed</span><b>-</b><small>samples</small>");
    }

    @Test
    void no_format_prints_a_nan() {
        for (ReportFormat format : ReportFormat.values()) {
            assertThat(format.render(report(), true)).as(format.name()).doesNotContain("NaN");
        }
    }
}
