package io.metricsaggregator.report.plot;

/**
 * The path of a curve in a frame, as SVG writes it. A curve of more than 1000 points is cut in 500 columns, each with its lowest and its highest
 * point, so that a long run loses no peak.
 */
public final class CurvePath {
    private static final int COLUMNS_MAX = 500;

    private final PlotScale scale;
    private final double left;
    private final double bottom;
    private final double width;
    private final double height;
    private final StringBuilder path = new StringBuilder();
    private boolean pen;

    /**
     * Paths in a frame whose lower left corner is at {@code left} and {@code bottom}.
     *
     * @param width in units of the drawing
     * @param height in units of the drawing, upwards
     */
    public CurvePath(PlotScale scale, double left, double bottom, double width, double height) {
        this.scale = scale;
        this.left = left;
        this.bottom = bottom;
        this.width = width;
        this.height = height;
    }

    /** The path of a line; a point between two gaps is a dot. Empty without a point. */
    String line(Plot.Curve curve) {
        path.setLength(0);
        pen = false;
        int size = Math.min(curve.xs().length, curve.ys().length);
        if (size <= 2 * COLUMNS_MAX) {
            for (int i = 0; i < size; i++) {
                point(curve, i);
            }
            return path.toString();
        }
        double perColumn = (double) size / COLUMNS_MAX;
        for (int column = 0; column < COLUMNS_MAX; column++) {
            column(curve, (int) (column * perColumn), (int) ((column + 1) * perColumn));
        }
        return path.toString();
    }

    /** Draws the lowest and the highest of some points, in their order; a gap if none has a place. */
    private void column(Plot.Curve curve, int from, int to) {
        int low = -1;
        int high = -1;
        for (int i = from; i < to; i++) {
            double y = curve.ys()[i];
            if (scale.isDrawn(y)) {
                low = low < 0 || y < curve.ys()[low] ? i : low;
                high = high < 0 || y > curve.ys()[high] ? i : high;
            }
        }
        if (low < 0) {
            pen = false;
            return;
        }
        point(curve, Math.min(low, high));
        if (low != high) {
            point(curve, Math.max(low, high));
        }
    }

    private void point(Plot.Curve curve, int i) {
        double y = curve.ys()[i];
        if (!scale.isDrawn(y) || !Double.isFinite(curve.xs()[i])) {
            pen = false;
            return;
        }
        path.append(pen ? "L" : "M")
                .append(fixed(left + scale.x(curve.xs()[i]) * width))
                .append(' ')
                .append(fixed(bottom - scale.y(y) * height));
        // A line of no length with round ends is a dot: the point may be the only one between two gaps.
        path.append(pen ? "" : "h0");
        pen = true;
    }

    /** The path of any curve of lines; empty for dots and rings, which are no path. */
    public String of(Plot.Curve curve) {
        return switch (curve.mark()) {
            case LINE, BROAD -> line(curve);
            case BARS -> bars(curve);
            case STEPS -> steps(curve);
            case SEGMENTS -> segments(curve);
            case DOTS, RINGS -> "";
        };
    }

    private String steps(Plot.Curve curve) {
        path.setLength(0);
        for (int i = 0; i < curve.xs().length; i++) {
            if (scale.isDrawn(curve.xs()[i], curve.ys()[i])) {
                String x = fixed(left + scale.x(curve.xs()[i]) * width);
                String y = fixed(bottom - scale.y(curve.ys()[i]) * height);
                path.append(path.isEmpty() ? "M" + x + " " + y : "V" + y + "H" + x);
            }
        }
        return path.toString();
    }

    private String segments(Plot.Curve curve) {
        path.setLength(0);
        for (int i = 0; i + 1 < curve.xs().length; i += 2) {
            pen = false;
            if (scale.isDrawn(curve.xs()[i], curve.ys()[i]) && scale.isDrawn(curve.xs()[i + 1], curve.ys()[i + 1])) {
                point(curve, i);
                point(curve, i + 1);
            }
        }
        return path.toString();
    }

    /** The paths of bars, in one path. */
    private String bars(Plot.Curve curve) {
        path.setLength(0);
        for (int i = 0; i + 1 < curve.xs().length; i++) {
            double y = curve.ys()[i];
            if (Double.isFinite(y) && y > 0) {
                path.append('M')
                        .append(fixed(left + scale.x(curve.xs()[i]) * width))
                        .append(' ')
                        .append(fixed(bottom))
                        .append('V')
                        .append(fixed(bottom - scale.y(y) * height))
                        .append('H')
                        .append(fixed(left + scale.x(curve.xs()[i + 1]) * width))
                        .append('V')
                        .append(fixed(bottom))
                        .append('Z');
            }
        }
        return path.toString();
    }

    /** A coordinate with one decimal at most. */
    public static String fixed(double value) {
        String text = Decimals.fixed(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
