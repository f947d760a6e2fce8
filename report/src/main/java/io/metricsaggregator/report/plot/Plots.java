package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The plots of a run, computed from the same snapshot as the tables. */
public final class Plots {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Plot.Axis MILLIS = new Plot.Axis("ms", Plot.Scale.LOG);
    /** Points of a percentile curve per halving of the distance to 100 %. */
    private static final int STEPS_A_HALF = 6;

    private static final int BUCKETS_AN_OCTAVE = 4;

    private Plots() {}

    /** The plots of a snapshot, those over time first; without plots whose data the snapshot lacks. */
    public static List<Plot> of(MetricsSnapshot snapshot) {
        List<Plot> plots = new ArrayList<>(SlicePlots.of(snapshot));
        plots.addAll(TelemetryPlots.of(snapshot));
        List<Plot> aligned = aligned(plots);
        distributions(aligned, snapshot);
        return aligned;
    }

    /** Gives all plots the same time axis, so that events line up vertically. */
    private static List<Plot> aligned(List<Plot> plots) {
        double from = 0;
        double to = 0;
        for (Plot plot : plots) {
            for (Plot.Curve curve : plot.curves()) {
                for (double x : curve.xs()) {
                    from = Math.min(from, x);
                    to = Math.max(to, x);
                }
            }
        }
        List<Plot> aligned = new ArrayList<>();
        for (Plot plot : plots) {
            Plot.Axis axis = new Plot.Axis(plot.x().label(), plot.x().scale(), from, to);
            aligned.add(new Plot(plot.key(), plot.title(), axis, plot.y(), plot.curves()));
        }
        return aligned;
    }

    private static void distributions(List<Plot> plots, MetricsSnapshot snapshot) {
        List<Plot.Curve> percentiles = new ArrayList<>();
        List<Plot.Curve> cumulative = new ArrayList<>();
        for (Quantity quantity : Quantity.durations(snapshot)) {
            if (quantity.key().startsWith("failed") || quantity.key().startsWith("succeeded")) {
                continue;
            }
            Histogram histogram = SeriesHistogram.of(quantity.measured(snapshot));
            if (histogram != null) {
                percentiles.add(percentileCurve(quantity, histogram));
                cumulative.add(cumulativeCurve(quantity, histogram));
            }
        }
        if (!percentiles.isEmpty()) {
            plots.add(new Plot(
                    "percentiles", "Percentiles", new Plot.Axis("percentile", Plot.Scale.NINES), MILLIS, percentiles));
            plots.add(new Plot(
                    "cdf",
                    "Cumulative distribution",
                    new Plot.Axis("ms", Plot.Scale.LOG),
                    new Plot.Axis("% of values at or below", Plot.Scale.LINEAR),
                    cumulative));
        }
        histogram(
                plots,
                snapshot,
                SeriesName.SAMPLE_LATENCY_NS,
                "latency-histogram",
                "Distribution of the sample latency");
        histogram(plots, snapshot, SeriesName.TTFT_NS, "ttft-histogram", "Distribution of the time to first token");
    }

    private static Plot.Curve percentileCurve(Quantity quantity, Histogram histogram) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        double count = (double) histogram.getTotalCount();
        for (int step = 0; ; step++) {
            double above = Math.pow(0.5, (double) step / STEPS_A_HALF);
            // The curve ends at the last value.
            if (above * count < 1) {
                break;
            }
            double percentile = 100 * (1 - above);
            xs.add(percentile);
            ys.add(histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI);
        }
        return curve(quantity.key().replace('_', ' '), xs, ys);
    }

    private static Plot.Curve cumulativeCurve(Quantity quantity, Histogram histogram) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (double percentile = 0; percentile <= 100; percentile += 1) {
            double value = histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
            if (value > 0) {
                xs.add(value);
                ys.add(percentile);
            }
        }
        return curve(quantity.key().replace('_', ' '), xs, ys);
    }

    private static Plot.Curve curve(String name, List<Double> xs, List<Double> ys) {
        return new Plot.Curve(
                name,
                Plot.Mark.LINE,
                xs.stream().mapToDouble(Double::doubleValue).toArray(),
                ys.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static void histogram(
            List<Plot> plots, MetricsSnapshot snapshot, SeriesName series, String key, String title) {
        @Nullable Histogram histogram = SeriesHistogram.of(snapshot.series(series));
        if (histogram == null || histogram.getTotalCount() == 0) {
            return;
        }
        double low = Math.max(1, (double) histogram.getMinValue());
        double high = Math.max(low + 1, (double) histogram.getMaxValue());
        int buckets = (int) Math.max(1, Math.ceil(Math.log(high / low) / Math.log(2) * BUCKETS_AN_OCTAVE)) + 1;
        double[] edges = new double[buckets + 1];
        double[] counts = new double[buckets + 1];
        for (int i = 0; i <= buckets; i++) {
            edges[i] = low * Math.pow(2, (double) i / BUCKETS_AN_OCTAVE) / NANOS_PER_MILLI;
        }
        for (var step : histogram.recordedValues()) {
            double value = Math.max(low, (double) step.getValueIteratedTo());
            int bucket = (int) (Math.log(value / low) / Math.log(2) * BUCKETS_AN_OCTAVE);
            counts[Math.min(buckets - 1, bucket)] += (double) step.getCountAddedInThisIterationStep();
        }
        plots.add(new Plot(
                key,
                title,
                new Plot.Axis("ms", Plot.Scale.LOG),
                new Plot.Axis("values", Plot.Scale.LINEAR),
                List.of(new Plot.Curve("values", Plot.Mark.BARS, edges, counts))));
    }
}
