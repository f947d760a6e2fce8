package io.metricsaggregator.report.plot;

import java.util.List;

/**
 * A plot, as data: what is drawn where. How it is drawn is another's affair.
 *
 * @param key a short name, for file names
 * @param title what it shows
 * @param x its horizontal axis
 * @param y its vertical axis
 * @param curves at least one
 */
public record Plot(String key, String title, Axis x, Axis y, List<Curve> curves) {

    public Plot {
        curves = List.copyOf(curves);
    }

    /** How values become places. */
    public enum Scale {
        LINEAR,
        LOG,
        /** Percentiles by their distance from 100: 90, 99 and 99.9 are equally far apart, as HdrHistogram plots them. */
        NINES
    }

    /**
     * An axis.
     *
     * @param label with its unit
     * @param scale linear unless said
     * @param from shown at least from here; NaN for where values begin
     * @param to shown at least up to here; NaN for where they end
     */
    public record Axis(String label, Scale scale, double from, double to) {
        /** From where values begin to where they end. */
        Axis(String label, Scale scale) {
            this(label, scale, Double.NaN, Double.NaN);
        }
    }

    /** How a curve is drawn. */
    public enum Mark {
        LINE,
        /** From 0 up to each value, as wide as the distance to the next. */
        BARS
    }

    /**
     * A curve.
     *
     * @param name for the legend
     * @param mark how it is drawn
     * @param xs ascending
     * @param ys as many; NaN where nothing was measured: the line has a gap
     */
    @SuppressWarnings("ArrayRecordComponent") // drawn once, never compared
    public record Curve(String name, Mark mark, double[] xs, double[] ys) {}
}
