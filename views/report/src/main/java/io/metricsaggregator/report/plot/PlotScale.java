package io.metricsaggregator.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Where the values of a plot stand within its frame: from 0, left or bottom, to 1, right or top. */
public final class PlotScale {
    /** Width of a letter of a label as a share of the narrowest frame, which is 260 px wide. */
    private static final double LETTER = 7.0 / 260;

    private final Plot plot;
    private double x0 = Double.MAX_VALUE;
    private double x1 = -Double.MAX_VALUE;
    private double y0 = Double.MAX_VALUE;
    private double y1 = -Double.MAX_VALUE;

    /** The scale of a plot: from the smallest to the largest value of all curves, and at least the limits of its axes. */
    public PlotScale(Plot plot) {
        this.plot = plot;
        plot.curves().forEach(this::include);
        if (x0 > x1) {
            x0 = 0;
            x1 = 1;
            y0 = 0;
            y1 = 1;
        }
        horizontal();
        vertical();
    }

    private void include(Plot.Curve curve) {
        for (int i = 0; i < curve.xs().length; i++) {
            double x = curve.xs()[i];
            double y = i < curve.ys().length ? curve.ys()[i] : Double.NaN;
            if (isDrawn(x, y)) {
                x0 = Math.min(x0, plot.x().scale().place(x));
                x1 = Math.max(x1, plot.x().scale().place(x));
                y0 = Math.min(y0, plot.y().scale().place(y));
                y1 = Math.max(y1, plot.y().scale().place(y));
            }
        }
    }

    private void horizontal() {
        if (plot.x().scale() == Plot.Scale.LINEAR) {
            // A comparison with NaN, an end without a limit, is false.
            x0 = plot.x().from() < x0 ? plot.x().from() : x0;
            x1 = plot.x().to() > x1 ? plot.x().to() : x1;
        }
        if (plot.hasPoints() && x1 > x0) {
            // Points and their labels keep off the edges.
            double margin = (x1 - x0) * 0.04;
            x0 -= plot.x().scale() == Plot.Scale.LINEAR && x0 == 0 ? 0 : margin;
            x1 += margin;
        }
        if (x1 <= x0) {
            x1 = x0 + 1;
        }
    }

    private void vertical() {
        if (plot.y().scale() == Plot.Scale.LINEAR) {
            y0 = Math.min(0, y0);
            y0 = plot.y().from() < y0 ? plot.y().from() : y0;
            boolean limited = plot.y().to() >= y1;
            y1 = limited ? plot.y().to() : y1 <= y0 ? y0 + 1 : y1 + (y1 - y0) * 0.05;
        } else {
            // Rounding to tenths of a decade keeps values off the edges.
            y0 = Math.floor(y0 * 10 - 0.5) / 10;
            y1 = Math.max(Math.ceil(y1 * 10 + 0.5) / 10, y0 + 0.2);
        }
    }

    /** Whether a value has a place: it is finite, and above 0 on a logarithmic scale. */
    public boolean isDrawn(double y) {
        return Double.isFinite(y) && (plot.y().scale() != Plot.Scale.LOG || y > 0);
    }

    /** Whether a point has a place on both axes. */
    public boolean isDrawn(double x, double y) {
        return Double.isFinite(x) && (plot.x().scale() != Plot.Scale.LOG || x > 0) && isDrawn(y);
    }

    /** The horizontal place of a value. */
    public double x(double value) {
        return (plot.x().scale().place(value) - x0) / (x1 - x0);
    }

    /** The value at a horizontal place. */
    double xAt(double place) {
        return plot.x().scale().value(x0 + place * (x1 - x0));
    }

    /** The vertical place of a value. */
    public double y(double value) {
        return (plot.y().scale().place(value) - y0) / (y1 - y0);
    }

    /** The values with a tick on the horizontal axis, so far apart that their labels have room on a phone. */
    public List<Double> xTicks() {
        List<Double> ticks = new ArrayList<>();
        double end = Double.NEGATIVE_INFINITY;
        for (double tick : Ticks.of(plot.x(), x0, x1)) {
            double half = plot.x().unit().tick(tick).length() * LETTER / 2;
            if (x(tick) - half >= end) {
                ticks.add(tick);
                end = x(tick) + half + LETTER;
            }
        }
        return ticks;
    }

    /** The values with a tick on the vertical axis. */
    public List<Double> yTicks() {
        return Ticks.of(plot.y(), y0, y1);
    }
}
