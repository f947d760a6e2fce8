package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Summary;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.Locale;

/** The headline figures of a run as tiles: latencies by percentile, rates and counts. */
final class HtmlTiles {
    private final Report report;
    private final MetricsSnapshot snapshot;
    private final Markup out;

    private HtmlTiles(Report report, Markup out) {
        this.report = report;
        this.snapshot = report.snapshot();
        this.out = out;
    }

    /** Appends the tiles of a run; a tile whose figures the run lacks is left out. */
    static void render(Report report, Markup out) {
        HtmlTiles tiles = new HtmlTiles(report, out);
        out.open("div", "class", "tiles");
        Summary.of(report).durations().forEach(tiles::percentiles);
        tiles.rates();
        tiles.counts();
        out.close();
    }

    /** A tile with the median and the 99th percentile of a duration. */
    private void percentiles(Summary.Row row) {
        SeriesMetric metric = row.series();
        out.open("div", "class", "tile pair").element("span", row.name()).open("dl");
        for (Percentile each : new Percentile[] {Percentile.P50, Percentile.P99}) {
            Double value = metric.percentile(each);
            if (value != null) {
                out.open("div")
                        .element(
                                "dt",
                                PercentileText.estimate(metric) + each.label() + Certainty.mark(each, metric.count()))
                        .open("dd")
                        .element("b", HtmlTable.micro(Figures.duration(value)))
                        .close()
                        .close();
            }
        }
        out.close().close();
    }

    private void rates() {
        Throughput throughput = report.throughput();
        tile(
                "requests/s",
                throughput == null ? "-" : Figures.rate(throughput.requestsPerSecond()),
                throughput == null ? "no window" : window(throughput));
        Throughput other = report.otherThroughput();
        if (other != null) {
            tile("requests/s", Figures.rate(other.requestsPerSecond()), window(other));
        }
        String tokens = report.tokenRate();
        if (tokens != null) {
            tile(
                    "output tokens/s",
                    tokens,
                    report.tokensIncomplete()
                            ? "some outputs were not counted"
                            : tokens.startsWith("~") ? "as servers report them" : "counted");
        }
        if (report.goodPerSecond() != null) {
            tile("good requests/s", Figures.rate(report.goodPerSecond()), "within the objectives");
        }
        Goodput goodput = snapshot.extensions().goodput();
        if (goodput != null) {
            String tone = goodput.judged() == 0 ? "" : goodput.isMet() ? "good" : "bad";
            tile("goodput", Figures.share(goodput.share()), GoodputText.target(goodput), tone);
        }
    }

    private static String window(Throughput throughput) {
        return "over " + Figures.duration(throughput.nanos()) + ", " + throughput.windowName();
    }

    private void counts() {
        SampleCounts counts = SampleCounts.of(snapshot);
        tile(
                "succeeded",
                SampleCounts.text(counts.succeeded()),
                "of " + SampleCounts.text(counts.issued()) + " issued");
        tile(
                "failed",
                SampleCounts.text(counts.failed()),
                counts.failedShare().isEmpty() ? "samples" : counts.failedShare());
        if (counts.inFlight() > 0) {
            tile("in flight", count(counts.inFlight()), "samples");
        }
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private void tile(String name, String value, String note) {
        tile(name, value, note, "");
    }

    private void tile(String name, String value, String note, String tone) {
        out.open("div", "class", "tile")
                .element("span", name)
                .element("b", value, tone.isEmpty() ? new String[0] : new String[] {"class", tone})
                .element("small", note)
                .close();
    }
}
