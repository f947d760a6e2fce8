package io.metricsaggregator.report.plot;

import java.util.List;

/**
 * A plot of horizontal bars, one row per name: totals by source, or ranges by operation.
 *
 * @param key a short name, for file names
 * @param title heading, which names the quantity
 * @param unit how values are written
 * @param scale of the bars: linear from 0, or logarithmic
 * @param legend the names of the parts of a row, as many as its bars have
 * @param rows at least one
 */
public record Breakdown(
        String key, String title, AxisUnit unit, Plot.Scale scale, List<String> legend, List<Row> rows) {
    public Breakdown {
        legend = List.copyOf(legend);
        rows = List.copyOf(rows);
    }

    /**
     * A row.
     *
     * @param text its values with units, written beside the bars
     */
    public record Row(String name, List<Bar> bars, String text) {
        public Row {
            bars = List.copyOf(bars);
        }
    }

    /**
     * A bar between two values.
     *
     * @param part its name by number in the legend
     */
    public record Bar(int part, double from, double to) {}

    /** Where a value stands between the left end, 0, and the right end, 1. */
    public double place(double value) {
        double high = rows.stream()
                .flatMap(each -> each.bars().stream())
                .mapToDouble(Bar::to)
                .max()
                .orElse(1);
        return switch (scale) {
            case LINEAR, NINES -> high > 0 ? Math.max(0, value) / high : 0;
            case LOG -> {
                double low = rows.stream()
                        .flatMap(each -> each.bars().stream())
                        .mapToDouble(Bar::from)
                        .filter(from -> from > 0)
                        .min()
                        .orElse(1);
                // Half a power of two to the left of the smallest value keeps it off the edge.
                double left = Math.log(low / Math.sqrt(2));
                double right = Math.log(Math.max(high, low * 2));
                yield value <= 0 ? 0 : Math.max(0, (Math.log(value) - left) / (right - left));
            }
        };
    }
}
