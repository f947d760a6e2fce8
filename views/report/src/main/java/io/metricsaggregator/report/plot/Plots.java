package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The plots of a run, computed from the same snapshot as the tables.
 *
 * @param overTime the load and its latencies over time; empty with fewer than two time slices
 * @param distributions of durations; empty without histograms
 * @param telemetry the plots of each kind of telemetry, in groups by source
 */
public record Plots(PlotGroup overTime, PlotGroup distributions, Map<TelemetryKind, List<PlotGroup>> telemetry) {
    private static final List<TelemetryKind> ORDER = List.of(
            TelemetryKind.SCRAPE,
            TelemetryKind.RESOURCE,
            TelemetryKind.METRIC,
            TelemetryKind.TRANSFER,
            TelemetryKind.OPERATION);

    /** The plots of a snapshot, without those whose data the snapshot lacks. */
    public static Plots of(MetricsSnapshot snapshot) {
        TimeAxis axis = new TimeAxis(snapshot);
        List<Plot> load = SlicePlots.of(snapshot);
        Map<TelemetryKind, List<PlotGroup>> telemetry = new EnumMap<>(TelemetryKind.class);
        for (TelemetryKind kind : ORDER) {
            List<PlotGroup> groups = new ArrayList<>(
                    switch (kind) {
                        case SCRAPE -> ScrapePlots.of(snapshot, axis);
                        case RESOURCE -> NodePlots.of(snapshot, axis);
                        case METRIC -> MetricPlots.of(snapshot, axis);
                        case TRANSFER -> TransferPlots.of(snapshot);
                        case OPERATION -> OperationPlots.of(snapshot);
                    });
            groups.removeIf(PlotGroup::isEmpty);
            telemetry.put(kind, groups);
        }
        List<Plot> all = new ArrayList<>(load);
        telemetry.values().forEach(groups -> groups.forEach(each -> all.addAll(each.plots())));
        CommonTime common = CommonTime.of(load, all);
        telemetry.replaceAll((kind, groups) -> groups.stream()
                .map(each -> new PlotGroup(each.title(), each.open(), common.align(each.plots()), each.breakdowns()))
                .toList());
        return new Plots(
                new PlotGroup("Load", true, common.align(load), List.of()),
                new PlotGroup("Distributions", true, DistributionPlots.of(snapshot), ServerTimePlots.of(snapshot)),
                telemetry);
    }

    /** The groups of a kind; empty without telemetry of that kind. */
    public List<PlotGroup> of(TelemetryKind kind) {
        return telemetry.getOrDefault(kind, List.of());
    }

    /** All groups that have plots, in the order of the page. */
    public List<PlotGroup> all() {
        List<PlotGroup> all = new ArrayList<>(List.of(overTime));
        ORDER.forEach(kind -> all.addAll(of(kind)));
        all.add(distributions);
        all.removeIf(PlotGroup::isEmpty);
        return all;
    }
}
