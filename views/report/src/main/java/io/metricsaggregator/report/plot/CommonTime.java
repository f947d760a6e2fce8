package io.metricsaggregator.report.plot;

import java.util.List;

/**
 * The time axis that the plots of a run share, so that events line up vertically. Plots of data from far outside the run, such as back-filled records
 * of an earlier day, keep an axis of their own: on the common one either they or the run would be a line.
 *
 * @param from start of the common axis, in seconds since the start of the session
 * @param to its end
 */
record CommonTime(double from, double to) {
    /** Data belong to the run if they are at most its length, and at least this, away from it; in seconds. */
    private static final double SLACK = 60;

    /**
     * The common axis.
     *
     * @param load plots of the time slices, which tell how long the run was; may be empty
     * @param all plots with a time axis among others
     */
    static CommonTime of(List<Plot> load, List<Plot> all) {
        double end = load.stream().mapToDouble(CommonTime::last).max().orElse(0);
        CommonTime run = new CommonTime(0, Math.max(0, end));
        double from = 0;
        double to = end;
        for (Plot plot : all) {
            if (isOverTime(plot) && (load.isEmpty() || run.isNear(plot))) {
                from = Math.min(from, first(plot));
                to = Math.max(to, last(plot));
            }
        }
        return new CommonTime(from, to);
    }

    /** The plots with the common axis; those with another quantity on the axis, and those far outside, as they are. */
    List<Plot> align(List<Plot> plots) {
        return plots.stream().map(this::align).toList();
    }

    private Plot align(Plot plot) {
        if (!isOverTime(plot)) {
            return plot;
        }
        boolean within = first(plot) >= from - 1e-9 && last(plot) <= to + 1e-9;
        if (!within) {
            return plot;
        }
        Plot.Axis axis =
                new Plot.Axis(plot.x().label(), plot.x().unit(), plot.x().scale(), from, to);
        return new Plot(plot.key(), plot.title(), axis, plot.y(), plot.curves());
    }

    private boolean isNear(Plot plot) {
        double slack = Math.max(SLACK, to - from);
        return first(plot) >= from - slack && last(plot) <= to + slack;
    }

    private static boolean isOverTime(Plot plot) {
        return plot.x().unit().form() == AxisUnit.Form.CLOCK;
    }

    /** The time of the first value; 0 without one. */
    private static double first(Plot plot) {
        double first = Double.POSITIVE_INFINITY;
        for (Plot.Curve curve : plot.curves()) {
            for (int i = 0; i < curve.xs().length; i++) {
                if (Double.isFinite(curve.ys()[i])) {
                    first = Math.min(first, curve.xs()[i]);
                    break;
                }
            }
        }
        return Double.isFinite(first) ? first : 0;
    }

    /** The time of the last value; 0 without one. */
    private static double last(Plot plot) {
        double last = Double.NEGATIVE_INFINITY;
        for (Plot.Curve curve : plot.curves()) {
            for (int i = curve.xs().length - 1; i >= 0; i--) {
                if (Double.isFinite(curve.ys()[i])) {
                    last = Math.max(last, curve.xs()[i]);
                    break;
                }
            }
        }
        return Double.isFinite(last) ? last : 0;
    }
}
