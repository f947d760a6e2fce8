package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plots over time, from the slices of the run: throughput, samples in flight, TTFT and latency. */
final class Charts {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_NANO = 1e-6;

    private Charts() {}

    /** A column of the slices and the name of its curve. */
    private record Curve(String column, String label) {}

    static List<Map<String, Object>> of(MetricsSnapshot snapshot) {
        Slices slices =
                snapshot.extensions().isNone() ? null : snapshot.extensions().slices();
        List<Map<String, Object>> charts = new ArrayList<>();
        if (slices == null || slices.length() < 2) {
            return charts;
        }
        // The newest slice is not complete while the run is live: its rate would always seem to fall.
        int length = slices.length() - (snapshot.state().isTerminal() ? 0 : 1);
        double perSecond = NANOS_PER_SECOND / slices.widthNanos();
        add(
                charts,
                chart("throughput", "Throughput", "per second"),
                slices,
                length,
                perSecond,
                List.of(new Curve("completed", "completed"), new Curve("failed", "errors"), new Curve("good", "good")));
        add(
                charts,
                chart("in-flight", "Samples in flight", "samples"),
                slices,
                length,
                1,
                List.of(new Curve("in_flight_max", "peak"), new Curve("in_flight", "end of each slice")));
        add(charts, chart("ttft", "Time to first token", "ms"), slices, length, MILLIS_PER_NANO, percentiles("ttft"));
        add(charts, chart("latency", "Sample latency", "ms"), slices, length, MILLIS_PER_NANO, percentiles("latency"));
        return charts;
    }

    private static List<Curve> percentiles(String quantity) {
        return List.of(
                new Curve(quantity + "_p50_ns", "p50"),
                new Curve(quantity + "_p90_ns", "p90"),
                new Curve(quantity + "_p99_ns", "p99"));
    }

    private static Map<String, Object> chart(String id, String title, String unit) {
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("id", id);
        chart.put("title", title);
        chart.put("unit", unit);
        return chart;
    }

    /** Adds the chart with its curves that have a value above 0; does not add one without curves. */
    private static void add(
            List<Map<String, Object>> charts,
            Map<String, Object> chart,
            Slices slices,
            int length,
            double scale,
            List<Curve> curves) {
        List<Map<String, Object>> drawn = new ArrayList<>();
        List<String> summary = new ArrayList<>();
        for (Curve curve : curves) {
            long[] values = slices.column(curve.column);
            List<@Nullable Double> ys = values == null ? List.of() : scaled(values, length, scale);
            Double most = most(ys);
            if (most != null && most > 0) {
                drawn.add(Map.of("label", curve.label, "values", ys));
                Double last = last(ys);
                summary.add(curve.label + ": last " + (last == null ? "-" : Figures.count(rounded(last))) + ", highest "
                        + Figures.count(rounded(most)));
            }
        }
        if (drawn.isEmpty()) {
            return;
        }
        chart.put("width_s", slices.widthNanos() / NANOS_PER_SECOND);
        chart.put("length", length);
        chart.put("curves", drawn);
        chart.put("summary", String.join("; ", summary) + ".");
        charts.add(chart);
    }

    /** One decimal. */
    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static List<@Nullable Double> scaled(long[] values, int length, double scale) {
        List<@Nullable Double> scaled = new ArrayList<>(length);
        for (int i = 0; i < Math.min(length, values.length); i++) {
            // Three decimals: more would only make the document longer.
            scaled.add(values[i] == Slices.NOT_MEASURED ? null : (Double) (Math.round(values[i] * scale * 1e3) / 1e3));
        }
        return scaled;
    }

    private static @Nullable Double most(List<@Nullable Double> values) {
        Double most = null;
        for (Double value : values) {
            if (value != null && (most == null || value > most)) {
                most = value;
            }
        }
        return most;
    }

    private static @Nullable Double last(List<@Nullable Double> values) {
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }
}
