package io.metricsaggregator.report.plot;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.Slices;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plots of the time slices: throughput, samples in flight, time to first token and latency over time. */
final class SlicePlots {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_NANO = 1e-6;
    private static final Plot.Axis TIME = new Plot.Axis("time since the start of the session, s", Plot.Scale.LINEAR);
    private static final Plot.Axis MILLIS = new Plot.Axis("ms", Plot.Scale.LOG);
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
                snapshot.extensions() == null ? null : snapshot.extensions().slices();
        if (slices == null || slices.length() < 2) {
            return plots;
        }
        double perSecond = NANOS_PER_SECOND / slices.widthNanos();
        Plot.Axis rate = new Plot.Axis("per second", Plot.Scale.LINEAR);
        Plot.Axis samples = new Plot.Axis("samples", Plot.Scale.LINEAR);
        List<Plot.Curve> throughput = curves(slices, perSecond, THROUGHPUT);
        List<Plot.Curve> inFlight = curves(slices, 1, IN_FLIGHT);
        List<Plot.Curve> firstToken = curves(slices, MILLIS_PER_NANO, percentiles("ttft"));
        List<Plot.Curve> latency = curves(slices, MILLIS_PER_NANO, percentiles("latency"));
        plots.add(new Plot("throughput", "Throughput over time", TIME, rate, throughput));
        plots.add(new Plot("in-flight", "Samples in flight over time", TIME, samples, inFlight));
        plots.add(new Plot("ttft-over-time", "Time to first token over time", TIME, MILLIS, firstToken));
        plots.add(new Plot("latency-over-time", "Sample latency over time", TIME, MILLIS, latency));
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

    /** The curves of the columns that have a value above 0. */
    private static List<Plot.Curve> curves(Slices slices, double scale, List<Column> columns) {
        List<Plot.Curve> curves = new ArrayList<>();
        for (Column column : columns) {
            Plot.Curve curve = curve(slices, scale, column);
            if (curve != null) {
                curves.add(curve);
            }
        }
        return curves;
    }

    private static Plot.@Nullable Curve curve(Slices slices, double scale, Column column) {
        long[] values = slices.column(column.name());
        if (values == null) {
            return null;
        }
        double width = slices.widthNanos() / NANOS_PER_SECOND;
        double[] xs = new double[values.length];
        double[] ys = new double[values.length];
        boolean any = false;
        for (int i = 0; i < values.length; i++) {
            xs[i] = (i + 0.5) * width;
            ys[i] = values[i] == Slices.NOT_MEASURED ? Double.NaN : values[i] * scale;
            any |= ys[i] > 0;
        }
        return any ? new Plot.Curve(column.label(), Plot.Mark.LINE, xs, ys) : null;
    }
}
