package io.metricsaggregator.report.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The data of a plot of curves; {@link SvgPlot} draws it as a file.
 *
 * @param key a short name, for file names
 * @param title heading
 * @param x horizontal axis
 * @param y vertical axis
 * @param curves at least one, in the order of the legend
 */
public record Plot(String key, String title, Axis x, Axis y, List<Curve> curves) {

    public Plot {
        curves = List.copyOf(curves);
    }

    /** The numbers of the curves in the order of drawing: broad ones behind the others. */
    public List<Integer> drawingOrder() {
        return IntStream.range(0, curves.size())
                .boxed()
                .sorted(Comparator.comparing(i -> curves.get(i).mark() != Mark.BROAD))
                .toList();
    }

    /** A number for the colour and the dashes of each curve, from 0: parts of a curve have that of the curve. */
    public List<Integer> styles() {
        List<Integer> styles = new ArrayList<>();
        int style = -1;
        for (Curve curve : curves) {
            style += curve.isPart() && style >= 0 ? 0 : 1;
            styles.add(style);
        }
        return styles;
    }

    /** What there is to read at a point: its label, if it has one, and its values. */
    public List<String> point(Curve curve, int number) {
        List<String> lines = new ArrayList<>();
        if (number < curve.labels().size() && !curve.labels().get(number).isEmpty()) {
            lines.add(curve.labels().get(number));
        }
        lines.add(x.title() + ": " + x.unit().value(curve.xs()[number]));
        lines.add((y.title().isEmpty() ? title : y.title()) + ": " + y.unit().value(curve.ys()[number]));
        return lines;
    }

    /** Whether points stand alone, each with a value of its own to read. */
    public boolean hasPoints() {
        return curves.stream().anyMatch(each -> each.mark() == Mark.DOTS || each.mark() == Mark.RINGS);
    }

    /** The mapping of values to positions. */
    public enum Scale {
        LINEAR,
        LOG,
        /** Percentiles by their distance from 100: 90, 99 and 99.9 are equally far apart, as HdrHistogram plots them. */
        NINES;

        /** The position of a value on the scale, which is linear in the distance on the page. */
        double place(double value) {
            return switch (this) {
                case LINEAR -> value;
                case LOG -> Math.log10(Math.max(value, 1e-12));
                case NINES -> -Math.log10(Math.max(1 - value / 100, 1e-7));
            };
        }

        /** The value at a position: the inverse of {@link #place}. */
        double value(double position) {
            return switch (this) {
                case LINEAR -> position;
                case LOG -> Math.pow(10, position);
                case NINES -> 100 * (1 - Math.pow(10, -position));
            };
        }
    }

    /**
     * An axis.
     *
     * @param label the quantity; may be empty where the title of the plot names it
     * @param unit how values are written
     * @param scale mapping of values to positions
     * @param from upper limit of the left or lower end; NaN for the smallest value
     * @param to lower limit of the right or upper end; NaN for the largest value
     */
    public record Axis(String label, AxisUnit unit, Scale scale, double from, double to) {
        /** An axis from the smallest to the largest value. */
        public Axis(String label, AxisUnit unit, Scale scale) {
            this(label, unit, scale, Double.NaN, Double.NaN);
        }

        /** The quantity and the unit. */
        public String title() {
            return unit.title(label);
        }
    }

    /** The shape of a curve. */
    public enum Mark {
        LINE,
        /** A broad pale line, which stays visible behind another that runs over it. */
        BROAD,
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
        public boolean isPart() {
            return name.isEmpty()
                    && switch (mark) {
                        case LINE, BROAD, BARS, STEPS -> false;
                        case DOTS, RINGS, SEGMENTS -> true;
                    };
        }
    }
}
