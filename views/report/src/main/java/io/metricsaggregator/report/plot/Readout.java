package io.metricsaggregator.report.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of all curves within a band of a plot, shown while the pointer is over the band. Bands cover the whole height of the frame, from its first
 * value to its last, so that no point has to be hit.
 *
 * @param from left end, 0 to 1
 * @param to right end, 0 to 1
 * @param at what stands at the band, with a unit
 * @param values one per curve, with units; empty where it has none
 * @param lines {@code at}, then one line per curve with a value there
 */
public record Readout(double from, double to, String at, List<String> values, List<String> lines) {
    private static final int BANDS_MAX = 100;

    public Readout {
        values = List.copyOf(values);
        lines = List.copyOf(lines);
    }

    private static Readout of(Plot plot, double from, double to, String at, List<String> values) {
        List<String> lines = new ArrayList<>(List.of(at));
        for (int i = 0; i < values.size(); i++) {
            if (!values.get(i).isEmpty()) {
                lines.add(
                        values.size() == 1
                                ? values.get(i)
                                : plot.curves().get(i).name() + ": " + values.get(i));
            }
        }
        return new Readout(from, to, at, values, lines);
    }

    /** The bands of a plot from left to right; those without a value are left out. None for a plot of points, which have their own values. */
    public static List<Readout> of(Plot plot, PlotScale scale) {
        if (plot.hasPoints()) {
            return List.of();
        }
        Plot.Curve first = plot.curves().get(0);
        if (first.mark() == Plot.Mark.BARS) {
            return bars(plot, first, scale);
        }
        boolean shared = plot.curves().stream().allMatch(each -> Arrays.equals(each.xs(), first.xs()));
        return shared ? points(plot, first.xs(), scale) : positions(plot, scale);
    }

    private static List<Readout> bars(Plot plot, Plot.Curve curve, PlotScale scale) {
        List<Readout> bands = new ArrayList<>();
        for (int i = 0; i + 1 < curve.xs().length; i++) {
            if (curve.ys()[i] > 0) {
                String range = plot.x().unit().value(curve.xs()[i]) + " to "
                        + plot.x().unit().value(curve.xs()[i + 1]);
                bands.add(of(
                        plot,
                        scale.x(curve.xs()[i]),
                        scale.x(curve.xs()[i + 1]),
                        range,
                        List.of(plot.y().unit().value(curve.ys()[i]))));
            }
        }
        return bands;
    }

    /** Bands around each point, or around groups of neighbouring points if there are many; a group shows its range. */
    private static List<Readout> points(Plot plot, double[] xs, PlotScale scale) {
        List<Readout> bands = new ArrayList<>();
        int size = (xs.length + BANDS_MAX - 1) / BANDS_MAX;
        for (int from = 0; from < xs.length; from += size) {
            int to = Math.min(xs.length, from + size);
            List<String> values = new ArrayList<>();
            for (Plot.Curve curve : plot.curves()) {
                values.add(range(plot, curve, from, to, scale));
            }
            if (values.stream().anyMatch(each -> !each.isEmpty())) {
                double left = from == 0 ? scale.x(xs[0]) : (scale.x(xs[from - 1]) + scale.x(xs[from])) / 2;
                double right = to == xs.length ? scale.x(xs[to - 1]) : (scale.x(xs[to - 1]) + scale.x(xs[to])) / 2;
                // A point at an edge has half a band on one side only: give it the width of its neighbour.
                double half = xs.length < 2 ? 0.5 : 0.5 * (scale.x(xs[1]) - scale.x(xs[0]));
                bands.add(of(
                        plot,
                        Math.max(0, from == 0 ? left - half : left),
                        Math.min(1, to == xs.length ? right + half : right),
                        at(plot.x(), xs, from, to - 1),
                        values));
            }
        }
        return bands;
    }

    private static String at(Plot.Axis axis, double[] xs, int first, int last) {
        String text = axis.unit().value(xs[first]);
        return first == last ? text : text + " to " + axis.unit().value(xs[last]);
    }

    private static String range(Plot plot, Plot.Curve curve, int from, int to, PlotScale scale) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = from; i < Math.min(to, curve.ys().length); i++) {
            if (scale.isDrawn(curve.ys()[i])) {
                low = Math.min(low, curve.ys()[i]);
                high = Math.max(high, curve.ys()[i]);
            }
        }
        if (low > high) {
            return "";
        }
        String top = plot.y().unit().value(high);
        return low == high ? top : plot.y().unit().value(low) + " to " + top;
    }

    /** Bands of equal width with the curves' values in their middle, for curves whose points differ. */
    private static List<Readout> positions(Plot plot, PlotScale scale) {
        List<Readout> bands = new ArrayList<>();
        int count = BANDS_MAX / 2;
        for (int i = 0; i < count; i++) {
            double middle = (i + 0.5) / count;
            List<String> values = new ArrayList<>();
            for (Plot.Curve curve : plot.curves()) {
                double y = between(curve, middle, scale);
                values.add(scale.isDrawn(y) ? plot.y().unit().value(y) : "");
            }
            if (values.stream().anyMatch(each -> !each.isEmpty())) {
                String at = "at " + plot.x().unit().value(scale.xAt(middle));
                bands.add(of(plot, (double) i / count, (i + 1.0) / count, at, values));
            }
        }
        return bands;
    }

    /** The value of a curve at a place, between its two neighbouring points; NaN outside of the curve and in a gap. */
    private static double between(Plot.Curve curve, double place, PlotScale scale) {
        for (int i = 0; i + 1 < Math.min(curve.xs().length, curve.ys().length); i++) {
            double left = scale.x(curve.xs()[i]);
            double right = scale.x(curve.xs()[i + 1]);
            if (left <= place && place <= right) {
                double part = right > left ? (place - left) / (right - left) : 0;
                return curve.ys()[i] + part * (curve.ys()[i + 1] - curve.ys()[i]);
            }
        }
        return Double.NaN;
    }
}
