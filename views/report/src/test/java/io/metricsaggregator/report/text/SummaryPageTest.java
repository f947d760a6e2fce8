package io.metricsaggregator.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryPageTest {
    private static final long MILLI = 1_000_000L;

    /** Four samples of which one failed, with labels and objectives. */
    private static Report report() {
        List<Metric> metrics = new ArrayList<>();
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("total_samples_issued", 4L);
        counters.put("tracked_samples_issued", 4L);
        counters.put("tracked_samples_completed", 4L);
        counters.put("tracked_samples_failed", 1L);
        counters.put("tracked_samples_succeeded", 3L);
        counters.put("tracked_samples_errored", 1L);
        counters.put("tracked_duration_ns", 4000 * MILLI);
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        metrics.add(TextReportTest.series("ttft_ns", 82.92e6, 10, 20, 30));
        metrics.add(TextReportTest.series("succeeded_sample_latency_ns", 82.92e6, 100, 200, 1_234_567));
        metrics.add(TextReportTest.series("sample_latency_ns", 82.92e6, 50, 100, 200, 1_234_567));
        metrics.add(TextReportTest.series("failed_sample_latency_ns", null, 50));
        RunInfo run = new RunInfo(
                2,
                "cafe",
                "1.0",
                1_700_000_000_000L * MILLI,
                1_700_000_014_000L * MILLI,
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                null,
                Map.of("model", "llama-3.1-70b\u001b[31m"),
                null,
                null);
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        run, new SnapshotExtensions.InFlight(0, 0, 0, 4, 0), new Slices(0, 1000 * MILLI, 0, List.of()))
                .goodput(new Goodput(List.of(new Goodput.Constraint("ttft", 25 * MILLI, 2)), 0.9, 4, 2, 0))
                .build();
        return Report.of(new MetricsSnapshot(9, 1, SessionState.COMPLETE, 0, metrics, extensions));
    }

    @Test
    void the_first_lines_say_what_ran_whether_to_trust_it_how_fast_it_was_and_what_limited_it() {
        assertThat(ReportFormat.TEXT.render(report(), true, 80)).isEqualTo("""
                Run        llama-3.1-70b\\u001b[31m
                           id cafe, 2023-11-14T22:13:20Z, 14.000 s
                Verdict    QUESTIONABLE, state COMPLETE
                           - failed samples: 1 of 4 tracked samples failed (25.00%); the limit
                             is 5.00% (--max-failed)
                           - sample size: 4 tracked samples completed: too few for a rate or a
                             percentile (at least 10)
                Samples    issued 4, succeeded 3 (75.00%), failed 1 (25.00%), in flight 0
                Rate       1.000 requests/s, over 4.000 s
                In ms                                       p50        p90        p99
                           TTFT of all samples           20.00?     30.00?     30.00?
                           latency of successes          200.0? 1,234,567? 1,234,567?
                           ? too few values to bound this percentile with 99 % confidence.
                Objectives the target of 90.00% is MISSED by 2; 50.00% of 4 are good, 0.500 a
                           second (ttft <= 25.00 ms: 50.00%)
                Limited by unknown (see failed samples)
                More       report --full for every table, --format html for plots
                """);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 120, 200})
    void lines_fit_the_terminal_and_no_number_is_cut(int width) {
        String text = ReportFormat.TEXT.render(report(), true, width);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Math.max(80, width)));
        assertThat(text.replaceAll("\\s+", " "))
                .contains("1,234,567?", "issued 4, succeeded 3 (75.00%), failed 1 (25.00%), in flight 0");
        assertThat(text.contains("p99.9")).isEqualTo(width >= 120);
    }

    @Test
    void a_snapshot_of_another_daemon_has_a_summary_without_the_parts_that_it_lacks() {
        MetricsSnapshot bare = new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);
        assertThat(ReportFormat.TEXT.render(Report.of(bare), false, 80))
                .contains("Run        without an id", "state COMPLETE", "issued 0, succeeded 0", "Rate       unknown");
    }

    @Test
    void the_row_of_csv_says_whose_run_it_is_and_each_column_its_unit() {
        String csv = ReportFormat.CSV.render(report(), true);
        List<String> lines = csv.lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("run_id,labels,state,verdict,samples_issued,samples_succeeded,samples_failed,")
                .contains(",latency_count,latency_mean_ms,", ",latency_p99_ms,")
                .endsWith(",estimated,uncertain");
        assertThat(lines.get(1))
                .startsWith("cafe,model=llama-3.1-70b\u001b[31m,complete,questionable,4,3,1,")
                .contains("latency_p99_ms")
                .doesNotContain("E-", "E7");
    }

    @Test
    void a_pull_request_shows_the_same_answer_in_at_most_forty_lines() {
        String page = ReportFormat.MD.render(report(), true);
        assertThat(page.substring(0, page.indexOf("<details>")).lines()).hasSizeLessThanOrEqualTo(40);
        assertThat(page)
                .startsWith("## llama-3.1-70b\\u001b\\[31m: COMPLETE")
                .contains("- failed samples: 1 of 4")
                .contains("Objectives: the target of 90.00% is MISSED by 2");
    }
}
