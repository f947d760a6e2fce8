package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The figures of successful samples in files of other tools; a figure that the snapshot does not determine is omitted. */
class SuccessesTest {
    private static final long MILLI = 1_000_000L;

    private final List<Metric> metrics = new ArrayList<>();

    private void counter(String name, long value) {
        metrics.add(new CounterMetric(name, value));
    }

    private void series(String name, long count, long median, double interpolated) {
        metrics.add(new SeriesMetric(
                name,
                count,
                count * median,
                median,
                Math.max(median, (long) interpolated),
                1.0,
                Map.of("50.0", (double) median),
                List.of(),
                null,
                new SeriesDetail(true, 0, 0, 3.0 * MILLI, Map.of(), Map.of("50.0", interpolated), null)));
    }

    /** Adds ten issued samples, two of which failed. */
    private void tenOfWhichTwoFailed() {
        counter("total_samples_issued", 10);
        counter("tracked_samples_issued", 10);
        counter("tracked_samples_completed", 10);
        counter("tracked_samples_failed", 5);
        counter("tracked_duration_ns", 4000 * MILLI);
        counter("tracked_samples_succeeded", 8);
        counter("tracked_samples_succeeded_with_first_chunk", 8);
        counter("tracked_samples_errored", 2);
        counter("succeeded_duration_ns", 2000 * MILLI);
        series("sample_latency_ns", 10, 700 * MILLI, 700.0 * MILLI);
        series("ttft_ns", 8, 20 * MILLI, 21.0 * MILLI);
        series("chunk_delta_ns", 80, 5 * MILLI, 5.0 * MILLI);
        series("failed_sample_latency_ns", 2, 900 * MILLI, 900.0 * MILLI);
    }

    private Report report() {
        return Report.of(
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, SnapshotExtensions.NONE),
                ThroughputWindow.LOADGEN);
    }

    private Map<String, ?> json(ReportFormat format) throws IOException {
        return JsonTree.read(format.render(report(), true).getBytes(StandardCharsets.UTF_8));
    }

    private static Object average(Map<String, ?> aiperf, String key) {
        return Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(aiperf.get(key), key)).get("avg"));
    }

    @Test
    void counts_are_of_requests_and_not_of_errors() throws IOException {
        tenOfWhichTwoFailed();
        series("succeeded_sample_latency_ns", 8, 600 * MILLI, 650.0 * MILLI);
        Map<String, ?> vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("completed")).isEqualTo(8L);
        assertThat(vllm.get("failed")).isEqualTo(2L);
        assertThat(vllm.get("duration")).isEqualTo(4.0);
        assertThat(vllm.get("request_throughput")).isEqualTo(2.0);
        Map<String, ?> aiperf = json(ReportFormat.AIPERF);
        assertThat(average(aiperf, "request_count")).isEqualTo(8L);
        assertThat(average(aiperf, "error_request_count")).isEqualTo(2L);
        assertThat(average(aiperf, "benchmark_duration")).isEqualTo(2.0);
        assertThat(average(aiperf, "request_throughput")).isEqualTo(4.0);
        assertThat(ReportFormat.AIPERFCSV.render(report(), true)).contains("Request Throughput (requests/sec),4.00");
    }

    @Test
    void latencies_of_successes_are_interpolated_with_population_deviation() throws IOException {
        tenOfWhichTwoFailed();
        series("succeeded_sample_latency_ns", 8, 600 * MILLI, 650.0 * MILLI);
        Map<String, ?> vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("median_e2el_ms")).isEqualTo(650.0);
        assertThat(vllm.get("mean_e2el_ms")).isEqualTo(600.0);
        assertThat((Double) vllm.get("std_e2el_ms")).isEqualTo(3 * Math.sqrt(7.0 / 8));
        assertThat(vllm.get("median_ttft_ms")).isEqualTo(21.0);
        assertThat(((Map<?, ?>) json(ReportFormat.AIPERF).get("request_latency")).get("p50"))
                .isEqualTo(650.0);
        assertThat(vllm.containsKey("metrics_aggregator_notes")).isFalse();
    }

    @Test
    @SuppressWarnings("unchecked")
    void a_benchmark_report_of_llmd_counts_requests_and_has_seconds_of_successes() throws IOException {
        tenOfWhichTwoFailed();
        series("succeeded_sample_latency_ns", 8, 600 * MILLI, 650.0 * MILLI);
        Map<String, ?> report = json(ReportFormat.LLMD);
        assertThat(report.get("version")).isEqualTo("0.2.1");
        Map<String, ?> performance =
                (Map<String, ?>) ((Map<String, ?>) report.get("results")).get("request_performance");
        Map<String, Map<String, Object>> figures = (Map<String, Map<String, Object>>) performance.get("aggregate");
        assertThat(figures.get("requests"))
                .containsEntry("total", 10L)
                .containsEntry("failures", 2L)
                .containsEntry("incomplete", 0L);
        assertThat((Map<String, Object>) figures.get("latency").get("request_latency"))
                .containsEntry("units", "s")
                .containsEntry("mean", 0.6)
                .containsEntry("p50", 0.65);
        assertThat(figures.get("throughput").get("request_rate")).isEqualTo(Map.of("units", "queries/s", "mean", 4.0));
        assertThat(ReportFormat.LLMD.notes(report())).isEmpty();
    }

    @Test
    void a_benchmark_report_of_llmd_says_why_a_figure_is_missing() throws IOException {
        tenOfWhichTwoFailed();
        assertThat(String.valueOf(json(ReportFormat.LLMD).get("run")))
                .contains("latencies: the snapshot does not separate those of successes");
    }

    @Test
    void latencies_mixed_with_those_of_failures_are_omitted_with_a_reason() throws IOException {
        tenOfWhichTwoFailed();
        Map<String, ?> vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("median_e2el_ms")).isNull();
        assertThat(String.valueOf(vllm.get("metrics_aggregator_notes")))
                .contains("latencies: the snapshot does not separate those of successes");
        assertThat(json(ReportFormat.AIPERF).containsKey("request_latency")).isFalse();
        assertThat(ReportFormat.AIPERFCSV.render(report(), true)).doesNotContain("Request Latency");
        assertThat(ReportFormat.AIPERFCSV.notes(report())).anyMatch(note -> note.startsWith("latencies:"));
    }

    @Test
    void a_merged_series_of_some_runs_is_not_used_for_all() throws IOException {
        tenOfWhichTwoFailed();
        series("succeeded_sample_latency_ns", 5, 600 * MILLI, 650.0 * MILLI);
        assertThat(json(ReportFormat.VLLM).get("median_e2el_ms")).isNull();
        assertThat(ReportFormat.FULL.render(report(), true)).doesNotContain("latency of successes");
        assertThat(ReportFormat.CSV.render(report(), true)).doesNotContain(",latency_count");
    }

    @Test
    void tokens_and_chunks_of_failures_omit_the_figures() throws IOException {
        tenOfWhichTwoFailed();
        series("isl", 10, 100, 100);
        series("osl", 8, 50, 50);
        Map<String, ?> vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("total_input_tokens")).isNull();
        assertThat(vllm.get("total_output_tokens")).isEqualTo(400L);
        assertThat(vllm.get("output_throughput")).isEqualTo(100.0);
        assertThat(vllm.get("total_token_throughput")).isNull();
        assertThat(vllm.get("median_itl_ms")).isEqualTo(5.0);
        counter("tracked_samples_errored_with_text", 1);
        counter("tracked_samples_errored_with_chunks", 1);
        vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("total_output_tokens")).isNull();
        assertThat(vllm.get("median_itl_ms")).isNull();
        assertThat(String.valueOf(vllm.get("metrics_aggregator_notes")))
                .contains("input tokens:", "output tokens:", "times between chunks:");
    }

    @Test
    void a_snapshot_with_error_counts_only_has_no_figures_of_successes() throws IOException {
        counter("tracked_samples_issued", 10);
        counter("tracked_samples_completed", 10);
        counter("tracked_samples_failed", 2);
        counter("tracked_duration_ns", 4000 * MILLI);
        series("sample_latency_ns", 10, 700 * MILLI, 700.0 * MILLI);
        Map<String, ?> vllm = json(ReportFormat.VLLM);
        assertThat(vllm.get("completed")).isNull();
        assertThat(vllm.get("request_throughput")).isNull();
        assertThat(vllm.get("median_e2el_ms")).isNull();
        assertThat(String.valueOf(vllm.get("metrics_aggregator_notes")))
                .contains("does not report which samples succeeded");
    }

    @Test
    void theSamePercentilesAndExtremesOfSuccessesAreInEveryTable() {
        tenOfWhichTwoFailed();
        series("succeeded_sample_latency_ns", 8, 612 * MILLI, 650.0 * MILLI);
        assertThat(ReportFormat.FULL.render(report(), true))
                .containsPattern("latency of successes +8 +612\\.0 .* 612\\.0 +650\\.0.* 650\\.0\n");
        assertThat(ReportFormat.MD.render(report(), true))
                .contains("| latency of successes | ms | 8 | 612.0 | 650.0? |");
        assertThat(ReportFormat.HTML.render(report(), true))
                .contains("latency of successes")
                .contains("612.0");
        assertThat(ReportFormat.CSV.render(report(), true))
                .contains(",latency_count,latency_mean_ms,", ",8,612.0", ",all_latency_count,", ",10,700.0");
        assertThat(ReportFormat.JSON.render(report(), true))
                .contains("\"latency\"")
                .contains("\"all_latency\"");
    }
}
