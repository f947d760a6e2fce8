package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The plots of two runs over each other: load and latencies over time, and distributions. */
public final class ComparisonPlots {
    private static final double MILLIS_PER_NANO = 1e-6;
    private static final List<SeriesName> DISTRIBUTIONS = List.of(
            SeriesName.SUCCEEDED_TTFT_NS,
            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS,
            SeriesName.TPOT_NS,
            SeriesName.CHUNK_DELTA_NS,
            SeriesName.ITL_REQUEST_NS,
            SeriesName.USAGE_TPOT_NS);

    private final Run before;
    private final Run after;

    private ComparisonPlots(Run before, Run after) {
        this.before = before;
        this.after = after;
    }

    /**
     * A run in the plots.
     *
     * @param name the name in legends
     */
    public record Run(String name, MetricsSnapshot snapshot) {
        /** The time slices; null if the run has fewer than two. */
        private @Nullable Slices slices() {
            Slices slices = snapshot.extensions().isNone()
                    ? null
                    : snapshot.extensions().slices();
            return slices == null || slices.length() < 2 ? null : slices;
        }
    }

    /** Over time, then distributions; without plots that neither run has data for. */
    public static List<PlotGroup> of(Run before, Run after) {
        ComparisonPlots plots = new ComparisonPlots(before, after);
        List<Plot> overTime = new ArrayList<>();
        plots.overTime(overTime, "completed", "Completed samples", true);
        plots.overTime(overTime, "in_flight_max", "Peak in flight", false);
        plots.durations(overTime, "ttft_p50_ns", "Time to first token, p50");
        plots.durations(overTime, "ttft_p99_ns", "Time to first token, p99");
        plots.durations(overTime, "latency_p50_ns", "Sample latency, p50");
        plots.durations(overTime, "latency_p99_ns", "Sample latency, p99");
        List<PlotGroup> groups = new ArrayList<>();
        groups.add(new PlotGroup(
                "Over time", true, CommonTime.of(overTime, overTime).align(overTime), List.of()));
        groups.add(new PlotGroup("Cumulative distributions", true, plots.distributions(), List.of()));
        groups.removeIf(PlotGroup::isEmpty);
        return groups;
    }

    private void overTime(List<Plot> into, String column, String title, boolean perSecond) {
        Curves curves = new Curves();
        for (Run run : List.of(before, after)) {
            Slices slices = run.slices();
            if (slices != null) {
                curve(curves, run, slices, column, perSecond ? 1e9 / slices.widthNanos() : 1);
            }
        }
        if (!curves.isEmpty()) {
            AxisUnit unit = AxisUnit.of(perSecond ? "samples/s" : "samples");
            into.add(TimePlot.linear("compare-" + column, title, unit, curves.drawn(1)));
        }
    }

    private void durations(List<Plot> into, String column, String title) {
        Curves curves = new Curves();
        for (Run run : List.of(before, after)) {
            Slices slices = run.slices();
            if (slices != null) {
                curve(curves, run, slices, column, MILLIS_PER_NANO);
            }
        }
        if (!curves.isEmpty()) {
            into.add(TimePlot.logarithmic("compare-" + column, title, AxisUnit.MILLIS, curves.drawn(1)));
        }
    }

    private static void curve(Curves curves, Run run, Slices slices, String column, double scale) {
        long[] values = slices.column(column);
        if (values != null) {
            curves.add(run.name(), SlicePlots.times(slices), SlicePlots.scaled(values, scale));
        }
    }

    private List<Plot> distributions() {
        List<Plot> plots = new ArrayList<>();
        for (SeriesName series : DISTRIBUTIONS) {
            Curves curves = new Curves();
            for (Run run : List.of(before, after)) {
                SeriesMetric measured = new Quantity(series).measured(run.snapshot());
                Histogram histogram = DistributionPlots.histogram(measured);
                if (measured != null && histogram != null) {
                    DistributionPlots.cumulativeCurve(curves, measured, run.name(), histogram);
                }
            }
            if (!curves.isEmpty()) {
                plots.add(DistributionPlots.cumulative("compare-cdf-" + series.key(), series.title(), curves));
            }
        }
        return plots;
    }
}
