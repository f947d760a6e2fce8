package io.metricsaggregator.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TextReportTest {
    private static final long MILLI = 1_000_000L;

    @Test
    void a_run_renders_as_a_text_page() {
        String text = ReportFormat.FULL.render(Report.of(snapshot(SessionState.COMPLETE, 0, "after 3 s")), true);
        assertThat(text).isEqualTo("""
                Run      COMPLETE
                         id cafe, 2023-11-14T22:13:20Z to 2023-11-14T22:13:22Z, metrics-aggregator 1.0
                Samples  issued 4, completed 4, failures among them, failed 1 (25.00% of issued)
                         and 1 issued outside the tracked windows, only in figures of all records
                Rate     1.000 req/s, over 4.000 s (tracked windows)
                         1.500 req/s, over 2.000 s (LoadGen window: first issue to the completion of the last issued)
                Verdict  INVALID. Limiting factor: unknown (see failed samples).
                         losses: 3 numbered records never arrived
                         failed samples: 1 of 4 tracked samples failed (25.00%); the limit is 5.00% (--max-failed)
                         sample size: 4 tracked samples completed: too few for a rate or a percentile (at least 10)

                Durations in ms                count      mean       std       min       p50       p90       p99     p99.9       max
                latency of failed samples          1     100.0         -     100.0    100.0?    100.0?    100.0?    100.0?     100.0
                latency of all samples             4     275.0     82.92     100.0    300.0?    400.0?    400.0?    400.0?     400.0
                  distribution             100.00 ms |▃ ▃█| 400.00 ms (log scale)
                ? too few values to bound this percentile with 99 % confidence.

                Over time, all records, 2 slices of 1.000 s each
                  completed/s    |▃█| peak 3.000
                  in flight      |█▄| peak 4

                Finished stop 3 (75.00%)

                Errors, all records
                          1  error.client Timeout: after 3 s

                Workers, all records           records    issued     ended    errors      lost
                  0                                  5         2         2         0         0
                  1                                  5         2         2         1         3

                Ledger   10 records received = 10 applied + 0 malformed + 0 unknown + 0 duplicate + 0 orphan + 0 late + 0 without a sample
                Daemon   CPU 1.200 s, memory 64 MiB, lag from receipt to applied p99 700.00 us (max 3.00 ms), collections 2 (12.00 ms)
                         snapshots 0 taken, 0 skipped, late p99 1.00 ms (max 2.00 ms)
                Note     3 numbered records never arrived
                Note     snapshots took too long for the publish interval; it was lengthened, finally to 500.00 ms
                Note     tcp://*:5\\u001b[31m is open
                """);
    }

    @Test
    void an_interrupted_run_is_named_in_the_first_line_and_a_note() {
        String text = ReportFormat.FULL.render(Report.of(snapshot(SessionState.INTERRUPTED, 5, "m")), true);
        assertThat(text)
                .startsWith("Run      INTERRUPTED  (NOT complete)\n")
                .contains("Note     the run was interrupted")
                .contains(
                        "Daemon   CPU 1.200 s, memory 64 MiB, lag from receipt to applied p99 700.00 us (max 3.00 ms)")
                .contains(
                        "Note     snapshots took too long for the publish interval; it was lengthened, finally to 500")
                .contains("Note     5 texts were not counted: the drain ended early");
    }

    @Test
    void a_narrow_page_drops_count_mean_and_deviation_before_a_percentile() {
        Report report = Report.of(snapshot(SessionState.COMPLETE, 0, "m"));
        assertThat(ReportFormat.FULL.render(report, true, 79))
                .containsPattern("Durations in ms +p50 +p90 +p99 +p99.9 +max\n");
        assertThat(ReportFormat.FULL.render(report, true, 60)).containsPattern("Durations in ms +p50 +p90 +p99\n");
        assertThat(ReportFormat.FULL.render(report, true, 100))
                .containsPattern("Durations in ms +count +mean +p50 +p90 +p99 +p99.9 +max\n");
    }

    @Test
    void without_unicode_the_page_is_ascii() {
        String text = ReportFormat.FULL.render(Report.of(snapshot(SessionState.COMPLETE, 0, "m")), false);
        assertThat(text).matches("[\\x20-\\x7e\\n]*").contains("|-@| peak 3.000");
    }

    @Test
    void text_of_producers_cannot_forge_a_line_or_control_the_terminal() {
        String nasty = "x\n2026-01-01 CRITICAL forged\u001b[31m\u202eevil\u0000";
        String text = ReportFormat.FULL.render(Report.of(snapshot(SessionState.COMPLETE, 0, nasty)), true);
        assertThat(text)
                .contains("Timeout: x\\u000a2026-01-01 CRITICAL forged\\u001b[31m\\u202eevil\\u0000\n")
                .doesNotContain("\u001b");
    }

    @Test
    void a_snapshot_of_another_daemon_renders_without_the_missing_parts() {
        MetricsSnapshot bare = new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);
        assertThat(ReportFormat.FULL.render(Report.of(bare), true))
                .contains("issued 0")
                .contains("Rate     N/A");
    }

    private static MetricsSnapshot snapshot(SessionState state, long pending, String message) {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(new CounterMetric("total_samples_issued", 5));
        metrics.add(new CounterMetric("tracked_samples_issued", 4));
        metrics.add(new CounterMetric("tracked_samples_completed", 4));
        metrics.add(new CounterMetric("tracked_samples_failed", 1));
        metrics.add(new CounterMetric("tracked_finish_reason_stop", 3));
        metrics.add(new CounterMetric("tracked_duration_ns", 4000 * MILLI));
        metrics.add(new CounterMetric("legacy_loadgen_window_duration_ns", 2000 * MILLI));
        metrics.add(new CounterMetric("records_received", 10));
        metrics.add(new CounterMetric("records_applied", 10));
        metrics.add(series("sample_latency_ns", 82.92e6, 100, 200, 300, 400));
        metrics.add(series("failed_sample_latency_ns", null, 100));
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1,
                                "cafe",
                                "1.0",
                                1_700_000_000_000L * MILLI,
                                1_700_000_002_000L * MILLI,
                                List.of("tcp://*:5\u001b[31m is open"),
                                List.of(),
                                Map.of(),
                                Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 4, 0),
                        new Slices(
                                0,
                                1000 * MILLI,
                                0,
                                List.of(
                                        new Slices.Column("completed", new long[] {1, 3}),
                                        new Slices.Column("in_flight_max", new long[] {4, 2}),
                                        new Slices.Column(
                                                "latency_p99_ns",
                                                new long[] {Slices.NOT_MEASURED, Slices.NOT_MEASURED}))))
                .workers(List.of(
                        new SnapshotExtensions.WorkerRow("0", 5, 2, 2, 0, 0, 0, 0),
                        new SnapshotExtensions.WorkerRow("1", 5, 2, 2, 1, 1, 3, 0)))
                .errors(List.of(new SnapshotExtensions.ErrorRow("error.client", "Timeout", 1, message, 1, 1)))
                .self(new SelfCost(
                        20_000,
                        700_000,
                        3 * MILLI,
                        0,
                        9,
                        0,
                        1200 * MILLI,
                        0,
                        0,
                        2,
                        12 * MILLI,
                        0,
                        0,
                        0,
                        64L << 20,
                        500 * MILLI,
                        1,
                        MILLI,
                        2 * MILLI,
                        0,
                        0))
                .build();
        return new MetricsSnapshot(9, 1, state, pending, metrics, extensions);
    }

    static SeriesMetric series(String name, Double deviation, long... millis) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        long total = 0;
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (long value : millis) {
            histogram.recordValue(value * MILLI);
            total += value * MILLI;
        }
        double top = millis[millis.length - 1] * 1e6;
        percentiles.put("99.9", top);
        percentiles.put("99.0", top);
        percentiles.put("90.0", top);
        percentiles.put("50.0", millis[millis.length / 2] * 1e6);
        ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(encoded);
        byte[] hdr = new byte[encoded.position()];
        encoded.get(0, hdr);
        return new SeriesMetric(
                name,
                millis.length,
                total + 25 * MILLI * millis.length * (millis.length > 1 ? 1 : 0),
                millis[0] * MILLI,
                millis[millis.length - 1] * MILLI,
                1.0,
                percentiles,
                List.of(
                        new HistogramBucket(100e6, 200e6, 1),
                        new HistogramBucket(200e6, 300e6, 0),
                        new HistogramBucket(300e6, 400e6, 1),
                        new HistogramBucket(400e6, 500e6, 3),
                        new HistogramBucket(500e6, 1000e6, 0)),
                null,
                new SeriesDetail(true, 0, 0, deviation, Map.of(), hdr));
    }
}
