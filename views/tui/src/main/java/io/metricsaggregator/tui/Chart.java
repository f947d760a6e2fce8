package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleFunction;

/** Draws one quantity of the time slices as a chart of several lines: an axis with values on the left, the time of the session below. */
final class Chart {
    private static final String UNICODE = " ▁▂▃▄▅▆▇█";
    private static final String ASCII = " .:-=+*#@";
    private static final int LEVELS = 8;
    /** Columns of the values on the left. */
    private static final int LABEL = 12;
    /** Least width of a screen with charts side by side. */
    private static final int WIDE = 130;

    private static final int GAP = 3;
    /** Lines of a chart besides its rows: title and axis. */
    private static final int FRAME = 2;

    private static final int ROWS_MIN = 2;
    private static final int ROWS_MAX = 12;

    private Chart() {}

    /**
     * A quantity to draw.
     *
     * @param column the column of the slices
     * @param title what it is, with its unit
     * @param scale a factor for the values
     * @param number shows a value of the axis
     */
    record Quantity(String column, String title, double scale, DoubleFunction<String> number) {}

    /** The charts of the quantities that the run has, side by side on a wide screen; empty before the first two slices. */
    static List<Line> all(RenderContext context, List<Quantity> quantities, int rows) {
        Slices slices =
                context.extensions().isNone() ? null : context.extensions().slices();
        if (slices == null || slices.length() < 2) {
            return List.of();
        }
        boolean wide = context.width() >= WIDE;
        int width = wide ? (context.width() - GAP) / 2 : context.width();
        List<List<Line>> charts = new ArrayList<>();
        for (Quantity each : quantities) {
            if (peak(slices, each) > 0) {
                charts.add(draw(each, slices, width, rows, context.unicode()));
            }
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < charts.size(); i += wide ? 2 : 1) {
            List<Line> right = wide && i + 1 < charts.size() ? charts.get(i + 1) : List.of();
            lines.addAll(Line.beside(charts.get(i), right, width + GAP, context.cutMark()));
        }
        return lines;
    }

    /** The charts as tall as the lines of the context allow, at most {@value #ROWS_MAX} rows each. */
    static List<Line> filling(RenderContext context, List<Quantity> quantities) {
        Slices slices = context.extensions().slices();
        long charts = quantities.stream().filter(each -> peak(slices, each) > 0).count();
        long below = context.width() >= WIDE ? (charts + 1) / 2 : charts;
        long rows = context.height() / Math.max(1, below) - FRAME;
        return all(context, quantities, (int) Math.max(ROWS_MIN, Math.min(ROWS_MAX, rows)));
    }

    /** The largest value; 0 if the run lacks the quantity. */
    private static long peak(Slices slices, Quantity quantity) {
        long[] values = slices.column(quantity.column());
        return values == null ? 0 : Math.max(0, Arrays.stream(values).max().orElse(0));
    }

    private static List<Line> draw(Quantity quantity, Slices slices, int width, int rows, boolean unicode) {
        long[] values = Objects.requireNonNull(slices.column(quantity.column()));
        int columns = Math.max(8, Math.min(width - LABEL - 2, values.length * 8));
        double[] levels = stretched(values, columns);
        double top = peak(slices, quantity);
        List<Line> lines = new ArrayList<>();
        lines.add(new Line().add(" " + quantity.title(), Style.TITLE));
        String marks = unicode ? UNICODE : ASCII;
        for (int row = rows - 1; row >= 0; row--) {
            StringBuilder bars = new StringBuilder(columns);
            for (double level : levels) {
                bars.append(marks.charAt(eighths(level / top, row, rows)));
            }
            boolean labelled = row == rows - 1 || row == 0;
            double edge = row == 0 ? 0 : top * quantity.scale();
            lines.add(new Line()
                    .add(
                            String.format(
                                    Locale.ROOT,
                                    "%" + (LABEL - 1) + "s ",
                                    labelled ? quantity.number().apply(edge) : ""),
                            Style.DIM)
                    .add(bars.toString(), Style.KEY));
        }
        lines.add(axis(slices, columns));
        return lines;
    }

    /** The eighths of a cell that are filled: 0 to 8; a value above 0 fills at least one of the lowest row. */
    private static int eighths(double share, int row, int rows) {
        if (!(share > 0)) {
            return 0;
        }
        long filled = Math.max(1, Math.round(share * rows * LEVELS));
        return (int) Math.max(0, Math.min(LEVELS, filled - (long) row * LEVELS));
    }

    /** The values on as many columns: neighbours that share one show the largest, and a slice may fill several. Not measured is 0. */
    private static double[] stretched(long[] values, int columns) {
        double[] stretched = new double[columns];
        for (int x = 0; x < columns; x++) {
            int from = (int) ((long) x * values.length / columns);
            int to = Math.max(from + 1, (int) ((long) (x + 1) * values.length / columns));
            for (int i = from; i < to; i++) {
                stretched[x] = Math.max(stretched[x], (double) values[i]);
            }
        }
        return stretched;
    }

    private static Line axis(Slices slices, int columns) {
        String start = "0:00";
        String end = Figures.duration((double) slices.length() * slices.widthNanos());
        String middle = "of the session, " + Figures.duration((double) slices.widthNanos()) + " slices";
        int room = columns - start.length() - end.length();
        String between = room >= middle.length() + 4
                ? " ".repeat((room - middle.length()) / 2)
                        + middle
                        + " ".repeat(room - middle.length() - (room - middle.length()) / 2)
                : " ".repeat(Math.max(1, room));
        return new Line().to(LABEL).add(start + between + end, Style.DIM);
    }
}
