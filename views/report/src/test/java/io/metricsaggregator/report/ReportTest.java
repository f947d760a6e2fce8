package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.analysis.BenchmarkSettings;
import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Figures of a golden run whose tracked and LoadGen windows differ. */
class ReportTest {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../../quality/golden"), "endpoints");

    private static MetricsSnapshot golden(String name, long pending) throws IOException {
        Map<String, @Nullable Object> tree =
                JsonTree.read(Files.readAllBytes(GOLDEN.resolve(name).resolve("expected_final_snapshot.json")));
        tree.put("counter", 1L);
        tree.put("timestamp_ns", 1L);
        tree.put("n_pending_tasks", pending);
        return new JsonSnapshotCodec().decode(ByteBuffer.wrap(JsonTree.write(tree)));
    }

    @Test
    void a_run_without_stated_window_shows_both_windows_by_name() throws IOException {
        MetricsSnapshot snapshot = golden("02_streaming_chunks", 0);
        Report unstated = Report.of(snapshot);
        Report loadgen = Report.of(snapshot, ThroughputWindow.LOADGEN);
        Report tracked = Report.of(snapshot, ThroughputWindow.TRACKED);
        assertThat(loadgen.requestsPerSecond()).isNotEqualTo(tracked.requestsPerSecond());
        assertThat(unstated.throughput()).isEqualTo(tracked.throughput());
        assertThat(unstated.otherThroughput()).isEqualTo(loadgen.throughput());
        assertThat(loadgen.otherThroughput()).isNull();
        assertThat(tracked.otherThroughput()).isNull();
        String text = ReportFormat.FULL.render(unstated, false);
        assertThat(text)
                .contains(Figures.rate(tracked.requestsPerSecond()) + " req/s")
                .contains("(tracked windows)")
                .contains(Figures.rate(loadgen.requestsPerSecond()) + " req/s")
                .contains("LoadGen window");
        assertThat(ReportFormat.FULL.render(tracked, false)).doesNotContain("LoadGen");
        for (ReportFormat format : new ReportFormat[] {ReportFormat.HTML, ReportFormat.MD}) {
            assertThat(format.render(unstated, false)).as("%s", format).contains("LoadGen window");
        }
    }

    @Test
    void a_missed_target_of_the_objectives_is_red_and_has_one_word_in_every_view() {
        List<Goodput.Constraint> limits = List.of(new Goodput.Constraint("ttft", 300_000_000L, 100));
        Report missed = Report.of(ExampleRuns.hostile(Map.of(), Map.of(), new Goodput(limits, 0.95, 1000, 100, 0)));
        String clause = "the target of 95.00% is MISSED by 850";
        for (ReportFormat format : List.of(ReportFormat.FULL, ReportFormat.MD, ReportFormat.HTML)) {
            assertThat(format.render(missed, true).replace("\\", ""))
                    .as("%s", format)
                    .contains(clause);
        }
        String page = ReportFormat.HTML.render(missed, true);
        assertThat(page)
                .contains("<span>goodput</span><b class=\"bad\">10.00%</b><small>" + clause)
                .contains("<b class=\"mark bad\">missed</b><span><b>objectives</b>");
        Report met = Report.of(ExampleRuns.hostile(Map.of(), Map.of(), new Goodput(limits, 0.95, 1000, 990, 0)));
        assertThat(ReportFormat.HTML.render(met, true))
                .contains("<span>goodput</span><b class=\"good\">99.00%</b>")
                .doesNotContain("MISSED");
    }

    @Test
    void mlcommons_files_default_to_the_loadgen_window() throws IOException {
        MetricsSnapshot snapshot = golden("02_streaming_chunks", 0);
        assertThat(ReportFormat.SUMMARY.render(Report.of(snapshot), false))
                .isEqualTo(ReportFormat.SUMMARY.render(Report.of(snapshot, ThroughputWindow.LOADGEN), false));
        assertThat(ReportFormat.MLCOMMONS.render(Report.of(snapshot), false))
                .contains("LoadGen window:")
                .contains("QPS over the tracked windows:");
    }

    @Test
    void an_incomplete_drain_has_no_token_rate() throws IOException {
        Report whole = Report.of(golden("05a_tokens_text", 0), ThroughputWindow.TRACKED);
        Report cut = Report.of(golden("05a_tokens_text", 3), ThroughputWindow.TRACKED);
        assertThat(whole.tokensPerSecond()).isPositive();
        assertThat(cut.tokensPerSecond()).isNull();
        assertThat(cut.requestsPerSecond()).isCloseTo(whole.requestsPerSecond(), within(1e-9));
        assertThat(ReportFormat.FULL.render(cut, false)).contains("output tokens/s incomplete: 3 texts not counted");
        assertThat(ReportFormat.MLCOMMONS.render(cut, false)).contains("TPS: N/A (incomplete)");
        assertThat(ReportFormat.HTML.render(cut, false)).contains("incomplete");
        assertThat(ReportFormat.JSON.render(cut, false))
                .contains("\"output_tokens_per_s\": null")
                .contains("\"output_tokens_incomplete\": true");
    }

    @Test
    void settings_of_the_report_folder_reach_mlcommons_files() throws IOException {
        Report report = Report.of(
                golden("01_minimal", 0),
                new BenchmarkSettings(
                        ThroughputWindow.TRACKED, Map.of("load_pattern", Map.of("type", "max_throughput")), "ea33275"));
        assertThat(ReportFormat.SUMMARY.render(report, false))
                .contains("\"git_sha\": \"ea33275\"")
                .contains("\"type\": \"max_throughput\"");
        assertThat(ReportFormat.MLCOMMONS.render(report, false))
                .contains("Git SHA: ea33275")
                .contains("load_pattern: type=max_throughput");
    }

    @Test
    void pagesAndJsonStateThatMergedRunsDidNotMeasureAtTheSameTime() {
        Report merged = Report.of(ExampleRuns.mergedOneAfterTheOther());
        for (ReportFormat format : List.of(ReportFormat.FULL, ReportFormat.HTML, ReportFormat.MD, ReportFormat.JSON)) {
            assertThat(format.render(merged, true)).as("%s", format).contains("did not measure at the same time");
        }
    }
}
