package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.TransferFigures;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The plots of KV-cache transfers: percentiles of their times and sizes, and data by source. Snapshots have no transfers over time. */
final class TransferPlots {
    private static final int SOURCES_MAX = 16;
    private static final double MIB = 1 << 20;

    private TransferPlots() {}

    /** One group; empty without transfers. */
    static List<PlotGroup> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        TransferSnapshot transfer = extensions.telemetry().transfer();
        if (transfer == null) {
            return List.of();
        }
        TransferFigures figures = transfer.cumulative().transfers();
        List<Plot> plots = new ArrayList<>();
        Curves times = new Curves();
        StatisticsCurve.add(times, "transfer", figures.xferMillis());
        StatisticsCurve.add(times, "post", figures.postMillis());
        if (!times.isEmpty()) {
            plots.add(new Plot(
                    "transfer-times",
                    "Time of a transfer by percentile",
                    StatisticsCurve.PERCENTILES,
                    new Plot.Axis("", AxisUnit.MILLIS, Plot.Scale.LOG),
                    times.drawn(1)));
        }
        Curves sizes = new Curves();
        StatisticsCurve.add(sizes, "MiB", figures.mebibytes());
        if (!sizes.isEmpty()) {
            plots.add(new Plot(
                    "transfer-sizes",
                    "Size of a transfer by percentile",
                    StatisticsCurve.PERCENTILES,
                    new Plot.Axis("", AxisUnit.of("MiB"), Plot.Scale.LINEAR),
                    sizes.drawn(1)));
        }
        return List.of(new PlotGroup("Transfer times, sizes and sources", true, plots, bySource(figures)));
    }

    private static List<Breakdown> bySource(TransferFigures figures) {
        List<Breakdown.Row> rows = new ArrayList<>();
        for (Map.Entry<String, TransferFigures.Source> each : figures.bySource().entrySet()) {
            TransferFigures.Source source = each.getValue();
            if (rows.size() < SOURCES_MAX && source.bytes() > 0) {
                String failures = source.transportFailures() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d failed", source.transportFailures());
                rows.add(new Breakdown.Row(
                        Printable.escape(each.getKey(), 40),
                        List.of(new Breakdown.Bar(0, 0, source.bytes() / MIB)),
                        Tree.bytes((double) source.bytes()) + failures));
            }
        }
        return rows.isEmpty()
                ? List.of()
                : List.of(new Breakdown(
                        "transfer-sources",
                        "Data by source",
                        AxisUnit.of("MiB"),
                        Plot.Scale.LINEAR,
                        List.of("MiB"),
                        rows));
    }
}
