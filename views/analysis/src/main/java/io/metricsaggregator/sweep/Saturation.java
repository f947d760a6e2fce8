package io.metricsaggregator.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the concurrency from which on more concurrency adds little throughput. */
final class Saturation {
    private static final double GAIN_MIN = 0.05;

    private Saturation() {}

    /**
     * The last point before {@code y} rises by less than 5 % for each doubling of concurrency.
     *
     * @param points by ascending concurrency; those without a concurrency or {@code y} are passed over
     * @return null if the figure rises by more up to the last point
     */
    static @Nullable SweepPoint of(List<SweepPoint> points, PointFigure y) {
        SweepPoint before = null;
        for (SweepPoint point : points) {
            if (point.concurrency() == null || point.figure(y) == null) {
                continue;
            }
            if (before != null && gain(before, point, y) < GAIN_MIN) {
                return before;
            }
            before = point;
        }
        return null;
    }

    /** The relative rise for one doubling of concurrency; infinite between points of the same concurrency or above 0. */
    private static double gain(SweepPoint from, SweepPoint to, PointFigure y) {
        double doublings = Math.log(value(to.concurrency()) / value(from.concurrency())) / Math.log(2);
        double ratio = value(to.figure(y)) / value(from.figure(y));
        return doublings <= 0 || !Double.isFinite(ratio)
                ? Double.POSITIVE_INFINITY
                : Math.pow(ratio, 1 / doublings) - 1;
    }

    private static double value(@Nullable Double measured) {
        return measured == null ? Double.NaN : measured;
    }
}
