package io.metricsaggregator.report.plot;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The plots of the time slices: throughput, samples in flight, time to first token and latency over time. */
final class SlicePlots {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_NANO = 1e-6;
    private static final List<Column> THROUGHPUT = List.of(
            new Column("issued", "issued"),
            new Column("completed", "completed"),
            new Column("failed", "errors"),
            new Column("good", "good"));
    private static final List<Column> IN_FLIGHT =
            List.of(new Column("in_flight_max", "peak of the slice"), new Column("in_flight", "end of the slice"));

    /** A column of the slices and the name of its curve. */
    private record Column(String name, String label) {}

    private SlicePlots() {}

    /** The plots; empty with fewer than two slices. */
    static List<Plot> of(MetricsSnapshot snapshot) {
        List<Plot> plots = new ArrayList<>();
        Slices slices =
                snapshot.extensions().isNone() ? null : snapshot.extensions().slices();
        if (slices == null || slices.length() < 2) {
            return plots;
        }
        List<Plot.Curve> throughput = curves(slices, NANOS_PER_SECOND / slices.widthNanos(), THROUGHPUT);
        List<Plot.Curve> inFlight = curves(slices, 1, IN_FLIGHT);
        List<Plot.Curve> firstToken = curves(slices, MILLIS_PER_NANO, percentiles("ttft"));
        List<Plot.Curve> latency = curves(slices, MILLIS_PER_NANO, percentiles("latency"));
        plots.add(TimePlot.linear("throughput", "Throughput over time", AxisUnit.of("samples/s"), throughput));
        plots.add(TimePlot.linear("in-flight", "Samples in flight over time", AxisUnit.of("samples"), inFlight));
        plots.add(TimePlot.logarithmic("ttft-over-time", "Time to first token over time", AxisUnit.MILLIS, firstToken));
        plots.add(TimePlot.logarithmic("latency-over-time", "Sample latency over time", AxisUnit.MILLIS, latency));
        plots.removeIf(each -> each.curves().isEmpty());
        return plots;
    }

    private static List<Column> percentiles(String quantity) {
        return List.of(
                new Column(quantity + "_p50_ns", "p50"),
                new Column(quantity + "_p90_ns", "p90"),
                new Column(quantity + "_p99_ns", "p99"),
                new Column(quantity + "_max_ns", "max"));
    }

    /** The curves of the columns that have a value above 0; that of the maximum stands behind the percentiles, which often equal it. */
    private static List<Plot.Curve> curves(Slices slices, double scale, List<Column> columns) {
        Curves curves = new Curves();
        for (Column column : columns) {
            long[] values = slices.column(column.name());
            if (values != null && Arrays.stream(values).anyMatch(value -> value > 0)) {
                if (column.label().equals("max")) {
                    curves.addBehind(column.label(), times(slices), scaled(values, scale));
                } else {
                    curves.add(column.label(), times(slices), scaled(values, scale));
                }
            }
        }
        return curves.drawn(1);
    }

    /** The middles of the slices, in seconds. */
    static double[] times(Slices slices) {
        double[] xs = new double[slices.length()];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = (i + 0.5) * slices.widthNanos() / NANOS_PER_SECOND;
        }
        return xs;
    }

    /** The values times a factor; NaN where a slice has none. */
    static double[] scaled(long[] values, double scale) {
        double[] ys = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            ys[i] = values[i] == Slices.NOT_MEASURED ? Double.NaN : values[i] * scale;
        }
        return ys;
    }
}
