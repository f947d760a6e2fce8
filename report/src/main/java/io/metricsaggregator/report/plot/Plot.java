package io.metricsaggregator.report.plot;

import java.util.List;

/**
 * The data of a plot; {@link SvgPlot} draws it.
 *
 * @param key a short name, for file names
 * @param title heading
 * @param x horizontal axis
 * @param y vertical axis
 * @param curves at least one
 */
public record Plot(String key, String title, Axis x, Axis y, List<Curve> curves) {

    public Plot {
        curves = List.copyOf(curves);
    }

    /** The mapping of values to positions. */
    public enum Scale {
        LINEAR,
        LOG,
        /** Percentiles by their distance from 100: 90, 99 and 99.9 are equally far apart, as HdrHistogram plots them. */
        NINES
    }

    /**
     * An axis.
     *
     * @param label quantity and unit
     * @param scale mapping of values to positions
     * @param from upper limit of the left or lower end; NaN for the smallest value
     * @param to lower limit of the right or upper end; NaN for the largest value
     */
    public record Axis(String label, Scale scale, double from, double to) {
        /** An axis from the smallest to the largest value. */
        Axis(String label, Scale scale) {
            this(label, scale, Double.NaN, Double.NaN);
        }
    }

    /** The shape of a curve. */
    public enum Mark {
        LINE,
        /** From 0 up to each value, as wide as the distance to the next. */
        BARS,
        /** Steps down to the right: between two values the right one holds. Never interpolated. */
        STEPS,
        /** A filled circle at each value, with its label beside. */
        DOTS,
        /** A circle at each value, with its label beside. */
        RINGS,
        /** Values in pairs: a line from each even one to the odd one after it. */
        SEGMENTS
    }

    /**
     * A curve.
     *
     * @param name name in the legend; empty for dots, rings and segments that belong to the curve before
     * @param mark shape
     * @param xs ascending
     * @param ys one per x; NaN, unmeasured, leaves a gap in the line
     * @param labels one per x, of dots and rings; empty for none
     */
    @SuppressWarnings("ArrayRecordComponent") // drawn once, never compared
    public record Curve(String name, Mark mark, double[] xs, double[] ys, List<String> labels) {
        public Curve {
            labels = List.copyOf(labels);
        }

        /** A curve without labels. */
        public Curve(String name, Mark mark, double[] xs, double[] ys) {
            this(name, mark, xs, ys, List.of());
        }

        /** Whether it belongs to the curve before, with its colour and without a place in the legend. */
        boolean isPart() {
            return name.isEmpty()
                    && switch (mark) {
                        case LINE, BARS, STEPS -> false;
                        case DOTS, RINGS, SEGMENTS -> true;
                    };
        }
    }
}
