package io.metricsaggregator.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Pareto front of points whose two figures are both better when larger: no other point is better in one of them and as good in the other.
 *
 * @param x the figure of the horizontal axis
 * @param y the figure of the vertical axis
 * @param steps the points of the front by descending x, therefore ascending y
 */
public record Front(PointFigure x, PointFigure y, List<Step> steps) {
    private static final double BEND_MIN = 0.05;

    /**
     * A point of the front.
     *
     * @param point the point
     * @param x its figure on the horizontal axis
     * @param y its figure on the vertical axis
     */
    public record Step(SweepPoint point, double x, double y) {
        private double power() {
            return x * y;
        }
    }

    /**
     * A range of the horizontal axis.
     *
     * @param from smallest value
     * @param to largest value
     */
    public record Range(double from, double to) {
        /** The range that this and another have in common; its end is below its start if they have none. */
        public Range and(Range other) {
            return new Range(Math.max(from, other.from), Math.min(to, other.to));
        }
    }

    public Front {
        steps = List.copyOf(steps);
    }

    /**
     * The front of the points that have both figures.
     *
     * @throws IllegalArgumentException if less is better in one of the figures
     */
    public static Front of(List<SweepPoint> points, PointFigure x, PointFigure y) {
        for (PointFigure axis : List.of(x, y)) {
            if (!axis.higherIsBetter()) {
                throw new IllegalArgumentException(
                        axis.key() + " cannot be an axis of the front: less of it is better. Choose a figure of which"
                                + " more is better, such as system_tps, tps_per_user or goodput_per_s");
            }
        }
        List<Step> all = new ArrayList<>();
        for (SweepPoint point : points) {
            Double across = point.figure(x);
            Double up = point.figure(y);
            if (across != null && up != null) {
                all.add(new Step(point, across, up));
            }
        }
        all.sort(Comparator.comparingDouble(Step::x)
                .reversed()
                .thenComparing(Comparator.comparingDouble(Step::y).reversed())
                .thenComparing(Step::point, SweepPoint.BY_CONCURRENCY));
        List<Step> kept = new ArrayList<>();
        double best = Double.NEGATIVE_INFINITY;
        for (Step each : all) {
            if (each.y > best) {
                kept.add(each);
                best = each.y;
            }
        }
        return new Front(x, y, kept);
    }

    /** Whether a point is on the front. */
    public boolean has(SweepPoint point) {
        return steps.stream().anyMatch(each -> each.point().equals(point));
    }

    /**
     * The step with the largest x · y, Kleinrock's power up to a constant. Null unless the curve bends there: it lies between other steps, and its power
     * is above that of the first and the last by {@value #BEND_MIN} of it or more.
     */
    public @Nullable Step knee() {
        if (steps.size() < 3) {
            return null;
        }
        Step knee = steps.get(0);
        for (Step each : steps) {
            knee = each.power() > knee.power() ? each : knee;
        }
        double ends = Math.max(steps.get(0).power(), steps.get(steps.size() - 1).power());
        return knee.power() >= ends * (1 + BEND_MIN) && knee.power() > ends ? knee : null;
    }

    /** Whether x · y is larger at the last step, the one with the largest y, than at the first. */
    public boolean isRising() {
        return !steps.isEmpty()
                && steps.get(steps.size() - 1).power() > steps.get(0).power();
    }

    /** From the smallest to the largest x of the front; null without steps. */
    public @Nullable Range range() {
        return steps.isEmpty() ? null : new Range(steps.get(steps.size() - 1).x, steps.get(0).x);
    }

    /**
     * The area below the line through the steps, by trapezoids.
     *
     * @param over a part of {@link #range}
     * @return null if the range is empty or leaves that of the front
     */
    public @Nullable Double area(Range over) {
        Range own = range();
        if (own == null || over.to <= over.from || over.from < own.from || over.to > own.to) {
            return null;
        }
        double area = 0;
        for (int i = 0; i + 1 < steps.size(); i++) {
            Step right = steps.get(i);
            Step left = steps.get(i + 1);
            double from = Math.max(left.x, over.from);
            double to = Math.min(right.x, over.to);
            if (to > from) {
                area += (to - from) * (height(left, right, from) + height(left, right, to)) / 2;
            }
        }
        return area;
    }

    private static double height(Step left, Step right, double x) {
        return left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x);
    }
}
