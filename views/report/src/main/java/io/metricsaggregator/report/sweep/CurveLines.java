package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Regions;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.Rounded;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What follows from the points of a curve, as lines that every format shows. */
final class CurveLines {
    private static final int NAME_MAX = 80;

    private CurveLines() {}

    /** Front, knee, saturation, goodput, the answer to the requirement, and the area, one line each. */
    static List<String> of(Sweep sweep, Curve curve) {
        List<String> lines = new ArrayList<>();
        Front front = curve.front();
        String axes = front.y().key() + " over " + front.x().key();
        if (front.steps().isEmpty()) {
            lines.add("Front: none: no sound point has both " + front.x().key() + " and "
                    + front.y().key() + hint(curve, front));
        } else {
            lines.add("Front (" + axes + "): concurrency "
                    + String.join(
                            ", ",
                            front.steps().stream()
                                    .map(each -> PointTable.concurrency(each.point()))
                                    .toList()));
        }
        Front.Step knee = front.knee();
        if (knee != null) {
            lines.add("Knee: concurrency " + PointTable.concurrency(knee.point()) + ", "
                    + front.y().key() + " " + knee.point().marked(front.y(), PointTable.number(knee.y())) + ", "
                    + front.x().key() + " " + knee.point().marked(front.x(), PointTable.number(knee.x())));
        } else if (front.steps().size() > 1) {
            lines.add("Knee: none: " + front.x().key() + " times " + front.y().key()
                    + " is largest at the last point, so the curve does not bend before it");
        }
        saturation(lines, curve);
        goodput(lines, curve);
        requirement(lines, sweep, curve);
        area(lines, sweep, curve);
        return lines;
    }

    private static String hint(Curve curve, Front front) {
        boolean tokens = curve.points().stream().anyMatch(each -> each.figure(PointFigure.SYSTEM_TPS) != null);
        boolean unsound = curve.points().stream()
                .anyMatch(each -> each.figure(front.x()) != null && each.figure(front.y()) != null);
        if (unsound) {
            return "; --include-questionable puts invalid and incomplete points on it";
        }
        return tokens ? "" : "; run counts output tokens with --tokenizer PATH or --token-source usage";
    }

    private static void saturation(List<String> lines, Curve curve) {
        String figure = curve.front().y().key();
        SweepPoint saturation = curve.saturation();
        if (saturation != null) {
            lines.add("Saturation: concurrency " + PointTable.concurrency(saturation) + "; beyond it " + figure
                    + " rises by less than 5 % per doubling of concurrency");
        } else if (curve.front().steps().size() > 1) {
            lines.add("Saturation: not reached; " + figure + " rises by 5 % or more per doubling of concurrency");
        }
    }

    private static void goodput(List<String> lines, Curve curve) {
        SweepPoint best = curve.bestGoodput();
        if (best != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "Most goodput: %s good requests/s at concurrency %s, the most among points that reach their required share of good"
                            + " requests; there %s %% are good",
                    number(best, PointFigure.GOODPUT_PER_S, 1),
                    PointTable.concurrency(best),
                    number(best, PointFigure.GOOD_SHARE, 100)));
        } else if (curve.points().stream().anyMatch(each -> each.targetShare() != null)) {
            lines.add("Most goodput: none: no sound point reaches its required share of good requests");
        }
    }

    private static String number(SweepPoint point, PointFigure figure, double factor) {
        Double value = point.figure(figure);
        return value == null ? "-" : PointTable.number(value * factor);
    }

    private static void requirement(List<String> lines, Sweep sweep, Curve curve) {
        Requirement.Answer answer = curve.required();
        Requirement requirement = sweep.options().requirement();
        if (answer == null || requirement == null) {
            return;
        }
        SweepPoint point = answer.point();
        lines.add("Largest concurrency with " + requirement + ": "
                + (point == null ? "none" : PointTable.concurrency(point))
                + (answer.missed() == null ? "" : "; " + answer.missed()));
    }

    private static void area(List<String> lines, Sweep sweep, Curve curve) {
        Map<String, Double> areas = sweep.areas();
        Front.Range range = sweep.commonRange();
        Double area = areas.get(curve.name());
        if (area != null && range != null) {
            lines.add("Area below the front: " + Rounded.of(area) + " over "
                    + curve.front().x().key() + " " + Rounded.of(range.from()) + " to " + Rounded.of(range.to())
                    + (sweep.curves().size() > 1 ? ", which all curves share" : ""));
        } else if (sweep.curves().size() > 1) {
            lines.add("Area below the front: none: the curves share no range of "
                    + curve.front().x().key());
        }
    }

    /** The regions of concurrency; null without them. */
    static @Nullable String regions(Curve curve) {
        Regions regions = curve.rules().regions();
        return regions == null || !regions.isRegular()
                ? null
                : String.format(
                        Locale.ROOT,
                        "Regions: low %d to %d, medium %d to %d, high %d to %d, margin to %d",
                        regions.from() + 1,
                        regions.lowTo(),
                        regions.lowTo() + 1,
                        regions.mediumTo(),
                        regions.mediumTo() + 1,
                        regions.to(),
                        regions.marginTo());
    }

    /** The word for the outcome of a check. */
    static String outcome(Rules.Outcome outcome) {
        return switch (outcome) {
            case MET -> "met";
            case NOT_MET -> "NOT MET";
            case UNKNOWN -> "unknown";
        };
    }

    /** The heading of a curve: the value of its label, or what a sweep without one has. */
    static String title(Curve curve) {
        return curve.name().isEmpty() ? "Sweep" : Printable.escape(curve.name(), NAME_MAX);
    }
}
