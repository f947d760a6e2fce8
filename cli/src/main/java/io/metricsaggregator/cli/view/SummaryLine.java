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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A snapshot as one line of text: state, counts, samples in flight, rate over 10 s, the nodes of a fleet, and the median and 99th percentile in ms. */
public final class SummaryLine {
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Part> parts = new ArrayList<>();

    /** A part of the line; narrow lines lack those of the least weight. */
    private record Part(int weight, String text) {}

    private SummaryLine() {}

    /** The line of a snapshot. */
    public static String of(MetricsSnapshot snapshot) {
        return of(snapshot, Integer.MAX_VALUE);
    }

    /**
     * The line of a snapshot, without its least important parts where it is wider than a terminal.
     *
     * @param width columns
     */
    public static String of(MetricsSnapshot snapshot, int width) {
        SummaryLine line = new SummaryLine();
        line.fill(snapshot);
        while (line.text().length() > width && line.parts.size() > 1) {
            line.parts.remove(line.parts.stream()
                    .min(Comparator.comparingInt(Part::weight))
                    .orElseThrow());
        }
        return line.text();
    }

    private String text() {
        return parts.stream().map(Part::text).collect(Collectors.joining("  "));
    }

    private void add(int weight, String format, Object... arguments) {
        parts.add(new Part(weight, String.format(Locale.ROOT, format, arguments)));
    }

    private void fill(MetricsSnapshot snapshot) {
        SampleCounts counts = SampleCounts.of(snapshot);
        add(
                10,
                "%-11s #%-5d issued %,d",
                FleetWait.state(snapshot),
                snapshot.counter(),
                snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED));
        add(9, "%s", counts.completed(snapshot));
        add(9, "failed %s", SampleCounts.text(counts.failed()));
        if (counts.untracked() > 0) {
            add(1, "untracked %,d", counts.untracked());
        }
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            flow(snapshot, extensions);
        }
        Nodes nodes = FleetText.of(snapshot);
        if (nodes != null) {
            add(7, "%s", FleetText.counts(nodes));
        }
        FleetWait wait = FleetWait.of(snapshot);
        if (wait != null) {
            add(8, "waiting %s", wait.clause());
        }
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            add(8, "NOT TRACKED: %s", gap.inShort());
        }
        percentiles(2, "ttft", SuccessSeries.TTFT, snapshot);
        percentiles(3, "latency", SuccessSeries.LATENCY, snapshot);
    }

    /** Samples in flight, and the rate. */
    private void flow(MetricsSnapshot snapshot, SnapshotExtensions extensions) {
        if (InFlightText.isKnown(snapshot)) {
            add(
                    4,
                    "in flight %,d (oldest %.1f s)",
                    extensions.inFlight().count(),
                    extensions.inFlight().oldestAgeNanos() / 1e9);
        } else {
            add(4, "in flight -");
        }
        for (Rate rate : extensions.rates()) {
            if (rate.windowSeconds() == 10) {
                add(5, "%.1f req/s", rate.completedPerSecond());
            }
        }
    }

    private void percentiles(int weight, String quantity, SuccessSeries durations, MetricsSnapshot snapshot) {
        SeriesMetric series = durations.shown(snapshot);
        if (series != null && series.percentile(Percentile.P50) != null && series.percentile(Percentile.P99) != null) {
            add(
                    weight,
                    "%s p50 %s p99 %s ms",
                    quantity + (durations.isMixed(snapshot) ? " of all" : ""),
                    percentile(series, Percentile.P50),
                    percentile(series, Percentile.P99));
        }
    }

    private static String percentile(SeriesMetric series, Percentile percentile) {
        // ASCII: a line of a log that any terminal shows.
        return (series.isExact() ? "" : "~")
                + PercentileText.of(
                        series, percentile, value -> String.format(Locale.ROOT, "%.0f", value / NANOS_PER_MILLI));
    }
}
