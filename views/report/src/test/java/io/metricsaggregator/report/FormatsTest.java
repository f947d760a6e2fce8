package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.plot.PlotFiles;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class FormatsTest {
    private static final long MILLI = 1_000_000L;

    private static Report report() {
        return Report.of(ExampleRuns.hostile(1, SessionState.COMPLETE));
    }

    /** The page without its own script, which is the same in every page. */
    static String withoutItsScript(String page) {
        assertThat(page).containsOnlyOnce("<script>\"use strict\";");
        return page.replaceFirst("(?s)<script>\"use strict\";.*?</script>", "");
    }

    @Test
    void text_of_producers_cannot_become_markup_and_the_page_loads_nothing() {
        String page = ReportFormat.HTML.render(report(), true);
        assertThat(page).contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-");
        page = withoutItsScript(page);
        assertThat(page)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContainIgnoringCase("<script")
                .doesNotContain("javascript:")
                .doesNotContain("http://fonts")
                .doesNotContain(ExampleRuns.HOSTILE_TEXT);
        assertThat(page.chars().filter(c -> c < 0x20 && c != '\n').count()).isZero();
        String markdown = ReportFormat.MD.render(report(), true);
        assertThat(markdown.lines()
                        .filter(line -> line.startsWith("- "))
                        .toList()
                        .toString())
                .doesNotContain("<script");
        assertThat(markdown).doesNotContain("\u202e").doesNotContain("\u0000");
        // Text of producers is code between backticks, which it cannot leave.
        assertThat(markdown.lines().filter(line -> line.contains("alert(1)") && !line.startsWith("- ")))
                .hasSizeGreaterThan(2)
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
    void an_empty_run_renders_in_every_format() {
        MetricsSnapshot empty =
                new MetricsSnapshot(1, 1, SessionState.INTERRUPTED, 0, List.of(), SnapshotExtensions.NONE);
        for (ReportFormat format : ReportFormat.values()) {
            assertThat(format.render(Report.of(empty), true))
                    .as("%s", format)
                    .isNotEqualTo("null")
                    .doesNotContain("NaN");
        }
        assertThat(PlotFiles.svg(Report.of(empty))).isEmpty();
    }

    @Test
    void hdrhistogram_tools_read_hgrm_and_hlog() {
        String log = ReportFormat.HLOG.render(report(), true);
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        EncodableHistogram first = reader.nextIntervalHistogram();
        assertThat(first.getTag()).isEqualTo("all_ttft");
        assertThat(((Histogram) first).getTotalCount()).isEqualTo(1000);
        assertThat(((Histogram) first).getValueAtPercentile(50)).isBetween(499 * MILLI, 502 * MILLI);
        assertThat(reader.nextIntervalHistogram().getTag()).isEqualTo("all_latency");
        assertThat(ReportFormat.HGRM.render(report(), true))
                .contains("Percentile TotalCount 1/(1-Percentile)")
                .contains("#[all_latency, in ms]");
    }

    @Test
    void dialects_use_the_keys_of_their_tools_and_the_same_numbers() throws IOException {
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
        // vLLM divides by the duration of all requests, AIPerf by the duration of the successful ones.
        assertThat(vllm.get("request_throughput")).isEqualTo(20.0);
        assertThat(((Map<?, ?>) aiperf.get("request_throughput")).get("avg")).isEqualTo(25.0);
        assertThat(((Map<?, ?>) own.get("throughput")).get("requests_per_s")).isEqualTo(vllm.get("request_throughput"));
        assertThat(ReportFormat.AIPERFCSV.render(report(), true))
                .startsWith("Metric,avg,min,max,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n")
                .contains("\r\n\r\nMetric,Value\r\nRequest Throughput (requests/sec),25.00");
        assertThat(ReportFormat.SLICES.render(report(), true).lines()).hasSize(51);
    }

    @Test
    void a_format_that_holds_nothing_of_the_run_says_why() {
        assertThat(ReportFormat.SERIES.missing(report()))
                .isEqualTo("nothing was scraped; run --scrape URL scrapes an exporter");
        assertThat(ReportFormat.TOKEN_ACCOUNTING.missing(report())).isEqualTo("no tokens were counted or reported");
        Report empty =
                Report.of(new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE));
        assertThat(Stream.of(ReportFormat.values()).filter(each -> each.missing(empty) != null))
                .containsExactly(
                        ReportFormat.CSV,
                        ReportFormat.SLICES,
                        ReportFormat.SERIES,
                        ReportFormat.HGRM,
                        ReportFormat.HLOG,
                        ReportFormat.TOKEN_ACCOUNTING);
        for (ReportFormat each : List.of(ReportFormat.CSV, ReportFormat.SLICES, ReportFormat.HGRM, ReportFormat.HLOG)) {
            assertThat(each.missing(report())).as(each.name()).isNull();
        }
    }
}
