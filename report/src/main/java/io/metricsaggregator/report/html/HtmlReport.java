package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Finding;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.analysis.Verdict;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.Plots;
import io.metricsaggregator.report.plot.SvgPlot;
import io.metricsaggregator.report.text.GoodputText;
import io.metricsaggregator.report.text.TelemetryView;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SelfCost;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report as one file for a browser: no script and nothing to be fetched, which its content security policy also forbids. Text
 * that came from producers is escaped; it stands in no attribute but plots' labels.
 */
public final class HtmlReport {
    private static final int ROWS_MAX = 50;
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P95, Percentile.P99, Percentile.P99_9);

    private final Report report;
    private final MetricsSnapshot snapshot;
    private final @Nullable SnapshotExtensions extensions;
    private final StringBuilder out = new StringBuilder();

    private HtmlReport(Report report) {
        this.report = report;
        this.snapshot = report.snapshot();
        this.extensions = snapshot.extensions();
    }

    public static String render(Report report) {
        return new HtmlReport(report).render();
    }

    private String render() {
        String id = extensions == null ? "" : extensions.run().runId();
        HtmlPage.open(out, "Run " + id);
        header(id);
        verdict();
        tiles();
        durations();
        plots();
        paragraphs("Goodput", GoodputText.lines(report));
        TelemetryView.of(snapshot).forEach(each -> preformatted(each.title(), each.lines()));
        errors();
        workers();
        records();
        machine();
        definitions();
        raw();
        return HtmlPage.close(out);
    }

    private void header(String id) {
        out.append("<header><h1>Run <code>").append(e(id)).append("</code> ");
        out.append("<span class=\"state ")
                .append(report.complete() ? "good" : "bad")
                .append("\">")
                .append(snapshot.state().name())
                .append(report.complete() ? "" : ", not complete")
                .append("</span></h1>");
        if (extensions != null) {
            SnapshotExtensions.RunInfo run = extensions.run();
            out.append("<p>")
                    .append(e(instant(run.startedWallNanos()) + " to " + instant(run.wallNanos())
                            + ", metrics-aggregator " + run.version()))
                    .append("</p>");
        }
        out.append("</header><main>");
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String e(String text) {
        return SvgPlot.escape(text);
    }

    private void section(String title) {
        out.append("<section><h2>").append(e(title)).append("</h2>");
    }

    private void end() {
        out.append("</section>");
    }

    private void verdict() {
        Verdict verdict = Verdict.of(snapshot);
        String kind = switch (verdict.validity()) {
            case VALID -> "good";
            case QUESTIONABLE -> "warn";
            case INVALID -> "bad";
        };
        section("Verdict");
        out.append("<p class=\"verdict ")
                .append(kind)
                .append("\">")
                .append(e(verdict.summary()))
                .append("</p>");
        out.append("<ul class=\"findings\">");
        for (Finding each : verdict.findings()) {
            String mark = switch (each.weight()) {
                case GOOD -> "ok";
                case UNKNOWN -> "unknown";
                case REMARK -> "remark";
                case BAD -> "bad";
            };
            out.append("<li><b class=\"mark ")
                    .append(each.weight().name().toLowerCase(Locale.ROOT))
                    .append("\">")
                    .append(mark)
                    .append("</b> <b>")
                    .append(e(each.what()))
                    .append("</b>: ")
                    .append(e(each.evidence()))
                    .append("</li>");
        }
        for (String note : Notes.of(report)) {
            out.append("<li><b class=\"mark remark\">note</b> ").append(e(note)).append("</li>");
        }
        out.append("</ul>");
        end();
    }

    private void tiles() {
        Map<String, String> tiles = new LinkedHashMap<>();
        tiles.put("requests/s", report.requestsPerSecond() == null ? "-" : Figures.rate(report.requestsPerSecond()));
        if (report.tokensIncomplete()) {
            tiles.put("output tokens/s", "incomplete");
        } else if (report.tokensPerSecond() != null) {
            tiles.put("output tokens/s", Figures.rate(report.tokensPerSecond()));
        }
        if (report.goodPerSecond() != null) {
            tiles.put("good requests/s", Figures.rate(report.goodPerSecond()));
        }
        tiles.put("issued", String.format(Locale.ROOT, "%,d", report.issued()));
        tiles.put("completed", String.format(Locale.ROOT, "%,d", report.completed()));
        tiles.put(
                "failed",
                String.format(
                        Locale.ROOT, "%,d (%s)", report.failed(), Figures.share(report.failed(), report.issued())));
        if (extensions != null) {
            tiles.put(
                    "peak in flight",
                    String.format(Locale.ROOT, "%,d", extensions.inFlight().peak()));
        }
        Throughput throughput = report.throughput();
        tiles.put(
                throughput == null ? "tracked windows" : throughput.windowName(),
                throughput == null ? "-" : Figures.duration(throughput.nanos()));
        Throughput other = report.otherThroughput();
        if (other != null) {
            tiles.put(
                    "requests/s over the LoadGen window of " + Figures.duration(other.nanos()),
                    Figures.rate(other.requestsPerSecond()));
        }
        out.append("<div class=\"tiles\">");
        tiles.forEach((name, value) -> out.append("<div><b>")
                .append(e(value))
                .append("</b><span>")
                .append(e(name))
                .append("</span></div>"));
        out.append("</div>");
    }

    private void durations() {
        List<Quantity> measured = Quantity.of(snapshot);
        if (measured.isEmpty()) {
            return;
        }
        section("Durations and lengths");
        List<String> head = new ArrayList<>(List.of("", "unit", "count", "mean", "std", "min"));
        for (Percentile each : PERCENTILES) {
            head.add(each.label());
        }
        head.add("max");
        List<List<String>> rows = new ArrayList<>();
        boolean uncertain = false;
        boolean approximate = false;
        for (Quantity quantity : measured) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric == null) {
                continue;
            }
            SeriesDetail detail = metric.detail();
            boolean exact = detail == null || detail.exact();
            approximate |= !exact;
            List<String> row = new ArrayList<>();
            row.add((exact ? "" : "≈ ") + quantity.title());
            row.add(quantity.unit());
            row.add(String.format(Locale.ROOT, "%,d", metric.count()));
            Double mean = metric.mean();
            row.add(mean == null ? "-" : number(quantity, mean));
            row.add(number(quantity, Report.standardDeviation(metric)));
            row.add(number(quantity, metric.min().doubleValue()));
            for (Percentile each : PERCENTILES) {
                Double value = metric.percentile(each);
                boolean certain = detail == null
                        || !detail.certification().containsKey(each.key())
                        || detail.certification().get(each.key()).certified();
                uncertain |= !certain && value != null;
                row.add(value == null ? "-" : number(quantity, value) + (certain ? "" : " ?"));
            }
            row.add(number(quantity, metric.max().doubleValue()));
            rows.add(row);
        }
        HtmlPage.table(out, head, rows);
        if (uncertain) {
            out.append("<p class=\"small\">? too few values to bound this percentile with 99 % confidence.</p>");
        }
        if (approximate) {
            out.append("<p class=\"small\">≈ percentiles from the histogram, within its precision.</p>");
        }
        end();
    }

    private static String number(Quantity quantity, double value) {
        return quantity.isDuration() ? Figures.millis(value) : Figures.count(Math.round(value * 10) / 10.0);
    }

    private void plots() {
        List<Plot> plots = Plots.of(snapshot);
        if (plots.isEmpty()) {
            return;
        }
        section("Plots");
        out.append("<div class=\"plots\">");
        for (Plot plot : plots) {
            out.append("<figure>").append(SvgPlot.render(plot, false)).append("</figure>");
        }
        out.append("</div>");
        end();
    }

    private void paragraphs(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            section(title);
            lines.forEach(line -> out.append("<p>").append(e(line)).append("</p>"));
            end();
        }
    }

    /** Appends a section of lines in a fixed-width font. */
    private void preformatted(String title, List<String> lines) {
        section(title);
        out.append("<div class=\"scroll\"><pre>").append(e(lines.get(0)));
        lines.subList(1, lines.size()).forEach(line -> out.append('\n').append(e(line)));
        out.append("</pre></div>");
        end();
    }

    private void errors() {
        if (extensions == null || extensions.errors().isEmpty()) {
            return;
        }
        section("Errors");
        List<List<String>> rows = extensions.errors().stream()
                .sorted(Comparator.comparingLong(SnapshotExtensions.ErrorRow::count)
                        .reversed())
                .limit(ROWS_MAX)
                .map(each -> List.of(
                        String.format(Locale.ROOT, "%,d", each.count()), each.event(), each.type(), each.message()))
                .toList();
        HtmlPage.table(out, List.of("count", "event", "type", "first message"), rows);
        end();
    }

    private void workers() {
        if (extensions == null || extensions.workers().isEmpty()) {
            return;
        }
        section("Workers");
        List<List<String>> rows = extensions.workers().stream()
                .limit(ROWS_MAX)
                .map(each -> List.of(
                        each.worker().isEmpty() ? "(unnamed)" : each.worker(),
                        String.format(Locale.ROOT, "%,d", each.records()),
                        String.format(Locale.ROOT, "%,d", each.issued()),
                        String.format(Locale.ROOT, "%,d", each.completed()),
                        String.format(Locale.ROOT, "%,d", each.failed()),
                        String.format(Locale.ROOT, "%,d", each.sequenceLost())))
                .toList();
        HtmlPage.table(out, List.of("worker", "records", "issued", "completed", "failed", "records lost"), rows);
        if (extensions.workers().size() > ROWS_MAX) {
            out.append("<p class=\"small\">and ")
                    .append(extensions.workers().size() - ROWS_MAX)
                    .append(" more</p>");
        }
        end();
    }

    private void records() {
        if (extensions == null) {
            return;
        }
        section("Records and the daemon itself");
        Ledger ledger = Ledger.of(snapshot);
        HtmlPage.table(
                out,
                List.of(
                        "received",
                        "applied",
                        "malformed",
                        "unknown",
                        "duplicate",
                        "orphan",
                        "late",
                        "without a sample"),
                List.of(java.util.stream.LongStream.of(
                                ledger.received(),
                                ledger.applied(),
                                ledger.malformed(),
                                ledger.unknown(),
                                ledger.duplicate(),
                                ledger.orphan(),
                                ledger.late(),
                                ledger.anonymous())
                        .mapToObj(each -> String.format(Locale.ROOT, "%,d", each))
                        .toList()));
        if (!ledger.balanced()) {
            out.append("<p class=\"verdict bad\">The record ledger is not balanced.</p>");
        }
        SelfCost self = extensions.self();
        if (self != null) {
            out.append("<p>")
                    .append(e(String.format(
                            Locale.ROOT,
                            "The daemon took %s of CPU and %d MiB; records waited %s (p99) and %s (max) to be applied; %,d snapshots were taken, %,d skipped.",
                            Figures.duration(self.cpuNanos()),
                            self.residentBytes() >> 20,
                            Figures.duration(self.lagP99Nanos()),
                            Figures.duration(self.lagMaxNanos()),
                            snapshot.counter(CounterName.TICKS_PUBLISHED),
                            snapshot.counter(CounterName.TICKS_SKIPPED))))
                    .append("</p>");
        }
        end();
    }

    private void machine() {
        if (extensions == null) {
            return;
        }
        pairs("Environment", extensions.run().environment());
        pairs("Settings", extensions.run().settings());
    }

    private void pairs(String title, Map<String, String> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        section(title);
        HtmlPage.table(
                out,
                List.of("", ""),
                pairs.entrySet().stream()
                        .map(each -> List.of(each.getKey(), each.getValue()))
                        .toList());
        end();
    }

    private void definitions() {
        section("Definitions");
        HtmlDefinitions.render(report, out);
        end();
    }

    private void raw() {
        out.append("<section><details><summary>All counters</summary>");
        List<List<String>> rows = new ArrayList<>();
        for (Metric metric : snapshot.metrics()) {
            if (metric instanceof CounterMetric counter) {
                rows.add(List.of(counter.name(), String.format(Locale.ROOT, "%,d", counter.value())));
            }
        }
        HtmlPage.table(out, List.of("counter", "value"), rows);
        out.append("</details></section>");
    }
}
