package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.InFlightText;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Rate;
import java.util.Locale;

/** A snapshot as one line of text: state, counts, samples in flight, rate over 10 s, the nodes of a fleet, and the median and 99th percentile in ms. */
public final class SummaryLine {
    private static final double NANOS_PER_MILLI = 1e6;

    private SummaryLine() {}

    /** The line of a snapshot. */
    public static String of(MetricsSnapshot snapshot) {
        SampleCounts counts = SampleCounts.of(snapshot);
        StringBuilder line = new StringBuilder();
        line.append(String.format(
                Locale.ROOT,
                "%-11s #%-5d issued %,d  %s  failed %s",
                FleetWait.state(snapshot),
                snapshot.counter(),
                snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED),
                counts.completed(snapshot),
                SampleCounts.text(counts.failed())));
        if (counts.untracked() > 0) {
            line.append(String.format(Locale.ROOT, "  untracked %,d", counts.untracked()));
        }
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone() && !InFlightText.isKnown(snapshot)) {
            line.append("  in flight -");
        } else if (!extensions.isNone()) {
            line.append(String.format(
                    Locale.ROOT,
                    "  in flight %,d (oldest %.1f s)",
                    extensions.inFlight().count(),
                    extensions.inFlight().oldestAgeNanos() / 1e9));
        }
        if (!extensions.isNone()) {
            for (Rate rate : extensions.rates()) {
                if (rate.windowSeconds() == 10) {
                    line.append(String.format(Locale.ROOT, "  %.1f req/s", rate.completedPerSecond()));
                }
            }
        }
        Nodes nodes = FleetText.of(snapshot);
        if (nodes != null) {
            line.append("  ").append(FleetText.counts(nodes));
        }
        FleetWait wait = FleetWait.of(snapshot);
        if (wait != null) {
            line.append("  waiting ").append(wait.clause());
        }
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            line.append("  NOT TRACKED: ").append(gap.inShort());
        }
        percentiles(line, "ttft", SuccessSeries.TTFT, snapshot);
        percentiles(line, "latency", SuccessSeries.LATENCY, snapshot);
        return line.toString();
    }

    private static void percentiles(
            StringBuilder line, String quantity, SuccessSeries durations, MetricsSnapshot snapshot) {
        SeriesMetric series = durations.shown(snapshot);
        if (series == null) {
            return;
        }
        String name = quantity + (durations.isMixed(snapshot) ? " of all" : "");
        if (series.percentile(Percentile.P50) != null && series.percentile(Percentile.P99) != null) {
            line.append(String.format(
                    Locale.ROOT,
                    "  %s p50 %s p99 %s ms",
                    name,
                    percentile(series, Percentile.P50),
                    percentile(series, Percentile.P99)));
        }
    }

    private static String percentile(SeriesMetric series, Percentile percentile) {
        // ASCII: a line of a log that any terminal shows.
        return (series.isExact() ? "" : "~")
                + PercentileText.of(
                        series, percentile, value -> String.format(Locale.ROOT, "%.0f", value / NANOS_PER_MILLI));
    }
}
