package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.plot.AxisUnit;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The plots of a sweep: the front as steps, and throughput, time to first token and time per token over concurrency. */
final class SweepPlots {
    private static final List<PointFigure> OVER_CONCURRENCY = List.of(
            PointFigure.SYSTEM_TPS,
            PointFigure.TPS_PER_USER,
            PointFigure.TTFT_P90_MS,
            PointFigure.TPOT_P90_MS,
            PointFigure.LATENCY_P99_MS,
            PointFigure.QPS);

    private SweepPlots() {}

    /** The plots that have points. */
    static List<Plot> of(Sweep sweep) {
        List<Plot> plots = new ArrayList<>();
        Plot front = front(sweep);
        if (front != null) {
            plots.add(front);
        }
        for (PointFigure figure : OVER_CONCURRENCY) {
            Plot plot = overConcurrency(sweep, figure);
            if (plot != null) {
                plots.add(plot);
            }
        }
        return plots;
    }

    /** Coordinates of circles and their labels; a growing list of points. */
    private static final class Coordinates {
        private final List<Double> xs = new ArrayList<>();
        private final List<Double> ys = new ArrayList<>();
        private final List<String> labels = new ArrayList<>();

        void add(@Nullable Double x, @Nullable Double y, String label) {
            if (x != null && y != null) {
                xs.add(x);
                ys.add(y);
                labels.add(label);
            }
        }

        void addTo(List<Plot.Curve> curves, String name, Plot.Mark mark) {
            if (!xs.isEmpty()) {
                curves.add(new Plot.Curve(name, mark, array(xs), array(ys), labels));
            }
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    private static @Nullable Plot front(Sweep sweep) {
        PointFigure x = sweep.options().x();
        PointFigure y = sweep.options().y();
        List<Plot.Curve> curves = new ArrayList<>();
        for (Curve curve : sweep.curves()) {
            Coordinates steps = new Coordinates();
            List<Front.Step> descending = curve.front().steps();
            for (int i = descending.size() - 1; i >= 0; i--) {
                steps.add(descending.get(i).x(), descending.get(i).y(), "");
            }
            steps.addTo(curves, CurveLines.title(curve), Plot.Mark.STEPS);
            circles(curves, curve, x, y, each -> usable(sweep, each), Plot.Mark.DOTS);
            circles(curves, curve, x, y, each -> !usable(sweep, each), Plot.Mark.RINGS);
            ranges(curves, curve, x, y);
        }
        return curves.isEmpty()
                ? null
                : new Plot(
                        "front",
                        "Pareto front, labelled with concurrency",
                        new Plot.Axis(x.title(), AxisUnit.of(""), Plot.Scale.LINEAR),
                        new Plot.Axis(y.title(), AxisUnit.of(""), Plot.Scale.LINEAR),
                        curves);
    }

    private static boolean usable(Sweep sweep, SweepPoint point) {
        return !point.isOffline() && (point.isSound() || sweep.options().includeUnsound());
    }

    private static void circles(
            List<Plot.Curve> curves,
            Curve curve,
            PointFigure x,
            PointFigure y,
            Predicate<SweepPoint> which,
            Plot.Mark mark) {
        Coordinates circles = new Coordinates();
        curve.points().stream()
                .filter(which)
                .forEach(each -> circles.add(each.figure(x), each.figure(y), PointTable.concurrency(each)));
        circles.addTo(curves, "", mark);
    }

    /** The ranges of repeats in both directions. */
    private static void ranges(List<Plot.Curve> curves, Curve curve, PointFigure x, PointFigure y) {
        Coordinates ranges = new Coordinates();
        for (SweepPoint each : curve.points()) {
            if (each.runs().size() > 1 && each.figure(x) != null && each.figure(y) != null) {
                ranges.add(each.low(x), each.figure(y), "");
                ranges.add(each.high(x), each.figure(y), "");
                ranges.add(each.figure(x), each.low(y), "");
                ranges.add(each.figure(x), each.high(y), "");
            }
        }
        ranges.addTo(curves, "", Plot.Mark.SEGMENTS);
    }

    private static @Nullable Plot overConcurrency(Sweep sweep, PointFigure figure) {
        List<Plot.Curve> curves = new ArrayList<>();
        for (Curve curve : sweep.curves()) {
            Coordinates line = new Coordinates();
            Coordinates dots = new Coordinates();
            Coordinates rings = new Coordinates();
            Coordinates ranges = new Coordinates();
            for (SweepPoint each : curve.points()) {
                boolean usable = usable(sweep, each);
                (usable ? dots : rings).add(each.concurrency(), each.figure(figure), "");
                if (usable) {
                    line.add(each.concurrency(), each.figure(figure), "");
                }
                if (each.runs().size() > 1) {
                    ranges.add(each.concurrency(), each.low(figure), "");
                    ranges.add(each.concurrency(), each.high(figure), "");
                }
            }
            line.addTo(curves, CurveLines.title(curve), Plot.Mark.LINE);
            dots.addTo(curves, "", Plot.Mark.DOTS);
            rings.addTo(curves, "", Plot.Mark.RINGS);
            ranges.addTo(curves, "", Plot.Mark.SEGMENTS);
        }
        return curves.isEmpty()
                ? null
                : new Plot(
                        figure.key(),
                        figure.title() + " over concurrency",
                        new Plot.Axis("concurrency", AxisUnit.of(""), Plot.Scale.LOG),
                        new Plot.Axis(figure.title(), AxisUnit.of(""), Plot.Scale.LINEAR),
                        curves);
    }
}
