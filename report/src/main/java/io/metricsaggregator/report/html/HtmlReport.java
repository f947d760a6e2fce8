package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Finding;
import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.analysis.Verdict;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.Plots;
import io.metricsaggregator.report.plot.SvgPlot;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.report.text.TelemetryView;
import io.metricsaggregator.snapshot.Ledger;
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
 * Renders a report as one HTML file without scripts and external resources, which its content security policy also forbids. {@link Markup} escapes
 * text of producers.
 */
public final class HtmlReport {
    private static final int ROWS_MAX = 50;
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P95, Percentile.P99, Percentile.P99_9);

    private final Report report;
    private final MetricsSnapshot snapshot;
    private final @Nullable SnapshotExtensions extensions;
    private final Markup out = new Markup();

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
        verdict();
        tiles();
        durations();
        plots();
        Sections.of(report).forEach(each -> HtmlSections.add(out, each));
        TelemetryView.of(snapshot).forEach(each -> preformatted(each.title(), each.lines()));
        errors();
        workers();
        records();
        machine();
        definitions();
        raw();
        return HtmlPage.render("Run " + id, header(id), out);
    }

    private Markup header(String id) {
        Markup header = new Markup()
                .open("header")
                .open("h1")
                .text("Run ")
                .element("code", id)
                .text(" ");
        String state = snapshot.state().name() + (report.complete() ? "" : ", not complete");
        header.element("span", state, "class", "state " + (report.complete() ? "good" : "bad"))
                .close();
        if (extensions != null) {
            SnapshotExtensions.RunInfo run = extensions.run();
            String source = ImportedText.headline(snapshot);
            if (source != null) {
                header.element("p", source);
            }
            header.element(
                    "p",
                    instant(run.startedWallNanos()) + " to " + instant(run.wallNanos()) + ", metrics-aggregator "
                            + run.version());
        }
        return header.close();
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void section(String title) {
        out.open("section").element("h2", title);
    }

    private void end() {
        out.close();
    }

    private void verdict() {
        Verdict verdict = Verdict.of(snapshot);
        String kind = switch (verdict.validity()) {
            case VALID -> "good";
            case QUESTIONABLE -> "warn";
            case INVALID -> "bad";
        };
        section("Verdict");
        out.element("p", verdict.summary(), "class", "verdict " + kind);
        out.open("ul", "class", "findings");
        for (Finding each : verdict.findings()) {
            String mark = switch (each.weight()) {
                case GOOD -> "ok";
                case UNKNOWN -> "unknown";
                case REMARK -> "remark";
                case BAD -> "bad";
            };
            out.open("li")
                    .element("b", mark, "class", "mark " + each.weight().name().toLowerCase(Locale.ROOT))
                    .text(" ")
                    .element("b", each.what())
                    .text(": " + each.evidence())
                    .close();
        }
        for (String note : Notes.of(report)) {
            out.open("li")
                    .element("b", "note", "class", "mark remark")
                    .text(" " + note)
                    .close();
        }
        out.close();
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
        out.open("div", "class", "tiles");
        tiles.forEach((name, value) ->
                out.open("div").element("b", value).element("span", name).close());
        out.close();
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
            row.add((exact ? "" : "≈ ") + quantity.title(snapshot));
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
            out.element("p", "? too few values to bound this percentile with 99 % confidence.", "class", "small");
        }
        if (approximate) {
            out.element("p", "≈ percentiles from the histogram, within its precision.", "class", "small");
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
        out.open("div", "class", "plots");
        for (Plot plot : plots) {
            out.open("figure").add(SvgPlot.render(plot, false)).close();
        }
        out.close();
        end();
    }

    /** Appends a section of lines in a fixed-width font. */
    private void preformatted(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            section(title);
            out.open("div", "class", "scroll").open("pre").text(lines.get(0));
            lines.subList(1, lines.size()).forEach(line -> out.lineBreak().text(line));
            out.close().close().close();
        }
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
            out.element("p", "and " + (extensions.workers().size() - ROWS_MAX) + " more", "class", "small");
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
            out.element("p", "The record ledger is not balanced.", "class", "verdict bad");
        }
        SelfCost self = extensions.self();
        if (self != null) {
            out.element(
                    "p",
                    String.format(
                            Locale.ROOT,
                            "The daemon took %s of CPU and %d MiB; records waited %s (p99) and %s (max) to be applied;"
                                    + " %,d snapshots were taken, %,d skipped.",
                            Figures.duration(self.cpuNanos()),
                            self.residentBytes() >> 20,
                            Figures.duration(self.lagP99Nanos()),
                            Figures.duration(self.lagMaxNanos()),
                            snapshot.counter(CounterName.TICKS_PUBLISHED),
                            snapshot.counter(CounterName.TICKS_SKIPPED)));
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
        out.open("section").open("details").element("summary", "All counters");
        List<List<String>> rows = snapshot.counters().stream()
                .map(each -> List.of(each.name(), String.format(Locale.ROOT, "%,d", each.value())))
                .toList();
        HtmlPage.table(out, List.of("counter", "value"), rows);
        out.close().close();
    }
}
