package io.metricsaggregator.report.plot;

import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The percentiles of statistics as a curve, for values of which the snapshot has no histogram. */
final class StatisticsCurve {
    static final Plot.Axis PERCENTILES = new Plot.Axis("percentile", AxisUnit.of(""), Plot.Scale.NINES);
    private static final Pattern NAME = Pattern.compile("p\\d+(_\\d+)?");

    private StatisticsCurve() {}

    /** Adds the curve from the smallest value over the known percentiles to the largest; nothing without a value. */
    static void add(Curves curves, String name, ValueStatistics values) {
        TreeMap<Double, Double> points = new TreeMap<>();
        if (values.min() != null) {
            points.put(0.0, values.min());
        }
        values.percentiles().forEach((percentile, value) -> {
            if (value != null && NAME.matcher(percentile).matches()) {
                points.put(Double.parseDouble(percentile.substring(1).replace('_', '.')), value);
            }
        });
        if (values.max() != null && values.count() > 1) {
            // The largest of n values stands for all beyond (n - 1) of n.
            points.putIfAbsent(Math.max(points.lastKey(), 100.0 * (values.count() - 1) / values.count()), values.max());
        }
        curves.add(
                name,
                points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                points.values().stream().mapToDouble(Double::doubleValue).toArray());
    }
}
