package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.InFlightText;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headline figures: while the run is live, each tile shows the figure of the last seconds and that of the run below; once it has ended, that of the run.
 */
final class Tiles {
    private Tiles() {}

    /** The tiles that the run has figures for. */
    static List<Map<String, Object>> of(Report report, RecentWindow recent) {
        MetricsSnapshot snapshot = report.snapshot();
        boolean over = snapshot.state().isTerminal();
        List<Map<String, Object>> tiles = new ArrayList<>();
        String tokens = report.tokenRate();
        if (tokens != null) {
            tiles.add(rate("Output tokens/s", over, recent.tokensPerSecond(), tokens));
        }
        Double requests = report.requestsPerSecond();
        tiles.add(
                rate("Requests/s", over, recent.completedPerSecond(), requests == null ? "-" : Figures.rate(requests)));
        durations(tiles, "TTFT", SuccessSeries.TTFT, snapshot, recent);
        durations(tiles, "Latency", SuccessSeries.LATENCY, snapshot, recent);
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            SnapshotExtensions.InFlight inFlight = extensions.inFlight();
            boolean known = InFlightText.isKnown(snapshot);
            tiles.add(tile(
                    "In flight",
                    known ? Figures.count((double) inFlight.count()) : "-",
                    "peak " + Figures.count((double) inFlight.peak())
                            + (known ? "" : ", " + InFlightText.UNKNOWN)
                            + (inFlight.count() == 0 || !known
                                    ? ""
                                    : ", oldest " + Figures.duration(inFlight.oldestAgeNanos())),
                    ""));
        }
        SampleCounts counts = SampleCounts.of(snapshot);
        Long failed = counts.failed();
        long errors = snapshot.counter(CounterName.TOTAL_SAMPLES_FAILED);
        tiles.add(tile(
                "Failed",
                SampleCounts.text(failed),
                counts.failedShare()
                        + (failed != null && errors > failed
                                ? ", " + Figures.count((double) errors) + " errors in all"
                                : ""),
                errors == 0 ? "" : Texts.WARN));
        Goodput goodput = extensions.goodput();
        if (goodput != null) {
            tiles.add(tile(
                    "Goodput",
                    Figures.share(goodput.share()),
                    GoodputText.target(goodput),
                    goodput.judged() == 0 ? "" : goodput.isMet() ? Texts.GOOD : Texts.BAD));
        }
        return tiles;
    }

    private static void durations(
            List<Map<String, Object>> tiles,
            String title,
            SuccessSeries durations,
            MetricsSnapshot snapshot,
            RecentWindow recent) {
        boolean mixed = durations.isMixed(snapshot);
        SeriesMetric series = durations.shown(snapshot);
        if (series == null) {
            return;
        }
        String whose = mixed ? ", failures too" : durations.hasFailures(snapshot) ? ", successes" : "";
        ValueCounts now = recent.values(durations.succeeded());
        for (Percentile each : List.of(Percentile.P50, Percentile.P99)) {
            String whole = PercentileText.estimate(series) + PercentileText.of(series, each, Figures::duration);
            double[] found = now.percentiles(series, each.percent());
            boolean over = snapshot.state().isTerminal();
            tiles.add(tile(
                    title + " " + each.label(),
                    over
                            ? whole
                            : found == null
                                    ? "-"
                                    : PercentileText.ESTIMATE + " "
                                            + PercentileText.of(
                                                    found[0], each.percent(), now.total(), Figures::duration),
                    (over ? "whole run" : "run " + whole) + whose,
                    ""));
        }
    }

    private static Map<String, Object> rate(String title, boolean over, @Nullable Double now, String whole) {
        return tile(
                title, over ? whole : now == null ? "-" : Figures.rate(now), over ? "whole run" : "run " + whole, "");
    }

    private static Map<String, Object> tile(String title, String value, String detail, String tone) {
        Map<String, Object> tile = new LinkedHashMap<>();
        tile.put("title", title);
        tile.put("value", value);
        tile.put("detail", detail);
        tile.put("tone", tone);
        return tile;
    }
}
