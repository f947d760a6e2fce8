package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The plots of the distributions of durations: percentiles, shares at or below a duration, and histograms. */
final class DistributionPlots {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Plot.Axis MILLIS = new Plot.Axis("", AxisUnit.MILLIS, Plot.Scale.LOG);
    private static final Plot.Axis DURATION = new Plot.Axis("duration", AxisUnit.MILLIS, Plot.Scale.LOG);
    private static final Plot.Axis SHARE =
            new Plot.Axis("values at or below", AxisUnit.PERCENT, Plot.Scale.LINEAR, 0, 100);
    /** Points of a percentile curve per halving of the distance to 100 %. */
    private static final int STEPS_A_HALF = 6;

    private static final int BUCKETS_AN_OCTAVE = 4;

    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "",
                    "response times",
                    List.of(
                            SeriesName.SUCCEEDED_TTFT_NS,
                            SeriesName.RESPONSE_TTFT_NS,
                            SeriesName.TTFO_NS,
                            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS,
                            SeriesName.FAILED_SAMPLE_LATENCY_NS,
                            SeriesName.RESPONSE_LATENCY_NS)),
            new Family(
                    "-tokens",
                    "times per token and chunk",
                    List.of(
                            SeriesName.CHUNK_DELTA_NS,
                            SeriesName.TPOT_NS,
                            SeriesName.ITL_EVEN_NS,
                            SeriesName.ITL_REQUEST_NS,
                            SeriesName.LATENCY_PER_TOKEN_NS,
                            SeriesName.USAGE_TPOT_NS)),
            new Family(
                    "-other",
                    "schedule slip and thinking",
                    List.of(SeriesName.SCHEDULE_SLIP_NS, SeriesName.THINKING_NS)));

    private DistributionPlots() {}

    /** Series of the same order of magnitude, which share a plot. */
    private record Family(String key, String title, List<SeriesName> series) {}

    static List<Plot> of(MetricsSnapshot snapshot) {
        List<Plot> plots = new ArrayList<>();
        for (Family family : FAMILIES) {
            Curves percentiles = new Curves();
            Curves cumulative = new Curves();
            for (SeriesName series : family.series()) {
                SeriesMetric measured = Quantity.leading(series, snapshot).measured(snapshot);
                Histogram histogram = histogram(measured);
                if (measured != null && histogram != null) {
                    percentileCurve(
                            percentiles,
                            measured,
                            Quantity.leading(series, snapshot).title(snapshot),
                            histogram);
                    cumulativeCurve(
                            cumulative,
                            measured,
                            Quantity.leading(series, snapshot).title(snapshot),
                            histogram);
                }
            }
            if (!percentiles.isEmpty()) {
                plots.add(new Plot(
                        "percentiles" + family.key(),
                        "Percentiles of " + family.title(),
                        StatisticsCurve.PERCENTILES,
                        MILLIS,
                        percentiles.drawn(1)));
                plots.add(cumulative("cdf" + family.key(), "Cumulative distribution of " + family.title(), cumulative));
            }
        }
        bars(plots, snapshot, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, "latency-histogram");
        bars(plots, snapshot, SeriesName.SUCCEEDED_TTFT_NS, "ttft-histogram");
        return plots;
    }

    /** The plot of curves of {@link #cumulativeCurve}. */
    static Plot cumulative(String key, String title, Curves curves) {
        return new Plot(key, title, DURATION, SHARE, curves.drawn(1));
    }

    /** The histogram of a series that reports show; null for null, or if the snapshot has none. */
    static @Nullable Histogram histogram(@Nullable SeriesMetric series) {
        Histogram histogram = SeriesHistogram.of(series);
        return histogram == null || histogram.getTotalCount() == 0 ? null : histogram;
    }

    private static void percentileCurve(Curves curves, SeriesMetric series, String name, Histogram histogram) {
        // The curve ends at the last value.
        int steps = 1 + (int) Math.floor(STEPS_A_HALF * Math.log((double) histogram.getTotalCount()) / Math.log(2));
        double[] percentiles = IntStream.range(0, steps)
                .mapToDouble(step -> 100 * (1 - Math.pow(0.5, (double) step / STEPS_A_HALF)))
                .toArray();
        double[] millis = millis(SeriesHistogram.estimate(histogram, percentiles)
                .of(series.min().doubleValue(), series.max().doubleValue()));
        curves.add(name, percentiles, millis);
    }

    /** Adds the share of values at or below each duration. */
    static void cumulativeCurve(Curves curves, SeriesMetric series, String name, Histogram histogram) {
        double[] percentiles = IntStream.rangeClosed(0, 100).asDoubleStream().toArray();
        double[] millis = millis(SeriesHistogram.estimate(histogram, percentiles)
                .of(series.min().doubleValue(), series.max().doubleValue()));
        int first = 0;
        while (first < millis.length && millis[first] <= 0) {
            first++;
        }
        curves.add(
                name,
                Arrays.copyOfRange(millis, first, millis.length),
                Arrays.copyOfRange(percentiles, first, percentiles.length));
    }

    private static double[] millis(double[] nanos) {
        return DoubleStream.of(nanos).map(each -> each / NANOS_PER_MILLI).toArray();
    }

    private static void bars(List<Plot> plots, MetricsSnapshot snapshot, SeriesName series, String key) {
        String title = "Histogram of the " + Quantity.leading(series, snapshot).title(snapshot);
        Histogram histogram = histogram(Quantity.leading(series, snapshot).measured(snapshot));
        if (histogram == null) {
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
                DURATION,
                new Plot.Axis("", AxisUnit.of("samples"), Plot.Scale.LINEAR),
                List.of(new Plot.Curve("samples", Plot.Mark.BARS, edges, counts))));
    }
}
