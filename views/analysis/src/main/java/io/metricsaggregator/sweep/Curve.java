package io.metricsaggregator.sweep;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The points of one system over concurrency, and what follows from them.
 *
 * @param name the value of the label that separates curves; empty without one
 * @param points by ascending concurrency
 * @param front the Pareto front of the usable points
 * @param saturation the last point before throughput stops rising; null if it rises up to the last point
 * @param bestGoodput the usable point with most good samples a second among those that reach their required share; null if none does
 * @param required the answer to the requirement; null without one
 * @param rules the checks of the rules for submissions
 */
public record Curve(
        String name,
        List<SweepPoint> points,
        Front front,
        @Nullable SweepPoint saturation,
        @Nullable SweepPoint bestGoodput,
        Requirement.@Nullable Answer required,
        Rules rules) {

    public Curve {
        points = List.copyOf(points);
    }

    static Curve of(String name, List<SweepRun> runs, SweepOptions options) {
        List<SweepPoint> points = SweepPoint.of(runs);
        List<SweepPoint> steps = usable(points, options);
        Requirement requirement = options.requirement();
        return new Curve(
                name,
                points,
                Front.of(steps, options.x(), options.y()),
                Saturation.of(steps, options.y()),
                bestGoodput(steps),
                requirement == null ? null : requirement.largest(points, steps),
                Rules.of(points));
    }

    /** The points that may be on the front; the Offline point is none of its steps. */
    private static List<SweepPoint> usable(List<SweepPoint> points, SweepOptions options) {
        return points.stream()
                .filter(each -> !each.isOffline() && (each.isSound() || options.includeUnsound()))
                .toList();
    }

    private static @Nullable SweepPoint bestGoodput(List<SweepPoint> points) {
        return points.stream()
                .filter(Curve::reachesTarget)
                .max(Comparator.comparingDouble(each -> Objects.requireNonNull(each.figure(PointFigure.GOODPUT_PER_S))))
                .orElse(null);
    }

    private static boolean reachesTarget(SweepPoint point) {
        Double share = point.figure(PointFigure.GOOD_SHARE);
        Double target = point.targetShare();
        return share != null && target != null && share >= target && point.figure(PointFigure.GOODPUT_PER_S) != null;
    }
}
