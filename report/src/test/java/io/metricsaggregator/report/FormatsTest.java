package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SlowSample;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class FormatsTest {
    private static final long MILLI = 1_000_000L;
    private static final String NASTY = "<script>alert(1)</script>\"'&|`=cmd|' /C calc'!A0\u0000\u202e\n";

    /** Latencies of 1 to 1000 ms, and text of somebody who means harm. */
    static MetricsSnapshot snapshot(double scale, SessionState state) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue((long) (i * MILLI * scale));
        }
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", 1001),
                new CounterMetric("total_samples_completed", 1000),
                new CounterMetric("tracked_samples_issued", 1001),
                new CounterMetric("tracked_samples_completed", 1000),
                new CounterMetric("tracked_samples_failed", 3),
                new CounterMetric("tracked_samples_succeeded", 1000),
                new CounterMetric("tracked_samples_succeeded_with_first_chunk", 1000),
                new CounterMetric("tracked_samples_errored", 1),
                new CounterMetric("succeeded_duration_ns", 40_000 * MILLI),
                new CounterMetric("tracked_duration_ns", 50_000 * MILLI),
                new CounterMetric("records_received", 4000),
                new CounterMetric("records_applied", 4000)));
        metrics.add(series("sample_latency_ns", histogram));
        metrics.add(series("ttft_ns", histogram));
        long[] steady = new long[50];
        Arrays.fill(steady, 20);
        SnapshotExtensions extensions = new SnapshotExtensions(
                new SnapshotExtensions.RunInfo(
                        1, NASTY, NASTY, 0, 50_000 * MILLI, List.of(NASTY), List.of(), Map.of("cpu", NASTY), Map.of()),
                new SnapshotExtensions.InFlight(0, 0, 0, 12, 0),
                List.of(),
                List.of(new SnapshotExtensions.WorkerRow(NASTY, 1, 1, 1, 1, 0, 0, 0)),
                List.of(new SnapshotExtensions.ErrorRow(NASTY, NASTY, 3, NASTY, 0, 0)),
                List.of(),
                new Slices(
                        0,
                        1000 * MILLI,
                        0,
                        List.of(
                                new Slices.Column("issued", steady),
                                new Slices.Column("completed", steady.clone()),
                                new Slices.Column("in_flight", steady.clone()),
                                new Slices.Column("in_flight_max", steady.clone()),
                                new Slices.Column("latency_p50_ns", steady.clone()))),
                List.of(
                        new SlowSample(
                                "latency",
                                NASTY,
                                NASTY,
                                7000 * MILLI,
                                true,
                                999 * MILLI,
                                1000 * MILLI,
                                null,
                                null,
                                8000 * MILLI),
                        new SlowSample(
                                "ttft",
                                "b7",
                                "2",
                                900 * MILLI,
                                false,
                                null,
                                3000 * MILLI,
                                3900 * MILLI,
                                4000 * MILLI,
                                5000 * MILLI)),
                null,
                Map.of(),
                null,
                null);
        return new MetricsSnapshot(1, 1, state, 0, metrics, extensions);
    }

    static SeriesMetric series(String name, Histogram histogram) {
        ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(encoded);
        return new SeriesMetric(
                name,
                histogram.getTotalCount(),
                (long) (histogram.getMean() * histogram.getTotalCount()),
                histogram.getMinValue(),
                histogram.getMaxValue(),
                1.0,
                Map.of(
                        "50.0", (double) histogram.getValueAtPercentile(50),
                        "99.0", (double) histogram.getValueAtPercentile(99)),
                List.of(new HistogramBucket(1, 2e9, histogram.getTotalCount())),
                null,
                new SeriesDetail(
                        true, 0, 0, 5.0 * MILLI, Map.of(), Arrays.copyOf(encoded.array(), encoded.position())));
    }

    private static Report report() {
        return Report.of(snapshot(1, SessionState.COMPLETE));
    }

    @Test
    void noTextOfOthersBecomesMarkupAndThePageMayFetchOrRunNothing() {
        String page = ReportFormat.HTML.render(report(), true);
        assertThat(page)
                .contains("default-src 'none'; style-src 'unsafe-inline'")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContainIgnoringCase("<script")
                .doesNotContain("javascript:")
                .doesNotContain("http://fonts")
                .doesNotContain(NASTY);
        assertThat(page.chars().filter(c -> c < 0x20 && c != '\n').count()).isZero();
        String markdown = ReportFormat.MD.render(report(), true);
        assertThat(markdown.lines()
                        .filter(line -> line.startsWith("- "))
                        .toList()
                        .toString())
                .doesNotContain("<script");
        assertThat(markdown).doesNotContain("\u202e").doesNotContain("\u0000");
        // Text of others stands in code, which is indented behind an empty line or between backticks, and cannot leave
        // it.
        String beside = markdown.replaceAll("(?<=\n\n)(    .*\n)+", "");
        assertThat(beside).hasSizeLessThan(markdown.length());
        assertThat(beside.lines().filter(line -> line.contains("alert(1)") && !line.startsWith("- ")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.replaceAll("`[^`]*`", "")).doesNotContain("alert"));
    }

    @Test
    void everyPlotIsAWellFormedDrawing() throws Exception {
        Map<String, String> drawings = PlotFiles.svg(report());
        assertThat(drawings).containsKeys("throughput.svg", "percentiles.svg", "cdf.svg", "latency-histogram.svg");
        for (String drawing : drawings.values()) {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(drawing.getBytes(StandardCharsets.UTF_8)));
            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(drawing).doesNotContain("NaN").doesNotContain("Infinity");
        }
    }

    @Test
    void aRunWithNothingInItCanBeReportedInEveryFormat() {
        MetricsSnapshot empty = new MetricsSnapshot(1, 1, SessionState.INTERRUPTED, 0, List.of(), null);
        for (ReportFormat format : ReportFormat.values()) {
            assertThat(format.render(Report.of(empty), true))
                    .as("%s", format)
                    .isNotEqualTo("null")
                    .doesNotContain("NaN");
        }
        assertThat(PlotFiles.svg(Report.of(empty))).isEmpty();
    }

    @Test
    void hdrHistogramsToolsReadWhatIsMadeForThem() {
        String log = ReportFormat.HLOG.render(report(), true);
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        EncodableHistogram first = reader.nextIntervalHistogram();
        assertThat(first.getTag()).isEqualTo("ttft");
        assertThat(((Histogram) first).getTotalCount()).isEqualTo(1000);
        assertThat(((Histogram) first).getValueAtPercentile(50)).isBetween(499 * MILLI, 502 * MILLI);
        assertThat(reader.nextIntervalHistogram().getTag()).isEqualTo("latency");
        assertThat(ReportFormat.HGRM.render(report(), true))
                .contains("Percentile TotalCount 1/(1-Percentile)")
                .contains("#[latency, in ms]");
    }

    @Test
    void theDialectsUseTheKeysThatScriptsReadAndTheSameNumbers() throws IOException {
        Map<String, ?> vllm =
                JsonTree.read(ReportFormat.VLLM.render(report(), true).getBytes(StandardCharsets.UTF_8));
        Map<String, ?> aiperf =
                JsonTree.read(ReportFormat.AIPERF.render(report(), true).getBytes(StandardCharsets.UTF_8));
        Map<String, ?> own =
                JsonTree.read(ReportFormat.JSON.render(report(), true).getBytes(StandardCharsets.UTF_8));
        assertThat(vllm)
                .containsKeys("request_throughput", "mean_ttft_ms", "std_tpot_ms", "p99_itl_ms", "median_e2el_ms");
        assertThat(vllm.get("mean_tpot_ms")).isNull();
        assertThat((Double) vllm.get("median_e2el_ms")).isBetween(499.0, 502.0);
        assertThat(((Map<?, ?>) aiperf.get("request_latency")).get("p50")).isEqualTo(vllm.get("median_e2el_ms"));
        // vLLM divides by the time of all requests, AIPerf by that of the successes.
        assertThat(vllm.get("request_throughput")).isEqualTo(20.0);
        assertThat(((Map<?, ?>) aiperf.get("request_throughput")).get("avg")).isEqualTo(25.0);
        assertThat(((Map<?, ?>) own.get("throughput")).get("requests_per_s")).isEqualTo(vllm.get("request_throughput"));
        assertThat(ReportFormat.AIPERFCSV.render(report(), true))
                .startsWith("Metric,avg,min,max,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n")
                .contains("\r\n\r\nMetric,Value\r\nRequest Throughput (requests/sec),25.00");
        assertThat(ReportFormat.SLICES.render(report(), true).lines()).hasSize(51);
    }
}
