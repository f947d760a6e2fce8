package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Regions;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import io.metricsaggregator.sweep.SweepRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What follows from the points of a curve, as lines that every format shows. */
final class CurveLines {
    /** The rules that {@link #rules} counts. */
    static final String RULES = "Rules of MLPerf Endpoints (draft of 2026-05-05)";

    private static final int NAME_MAX = 80;
    private static final int EVIDENCE_MAX = 400;
    private static final int REASONS_MAX = 3;

    private CurveLines() {}

    /**
     * What one line says.
     *
     * @param label its subject, such as {@code Knee}
     * @param text escaped for people
     */
    record Line(String label, String text) {
        @Override
        public String toString() {
            return label + ": " + text;
        }
    }

    /** How many points and runs a curve has, and their verdicts. */
    static String count(Curve curve) {
        int points = curve.points().size();
        int runs = curve.points().stream().mapToInt(each -> each.runs().size()).sum();
        Map<String, Integer> verdicts = new TreeMap<>(Comparator.reverseOrder());
        curve.points().forEach(each -> verdicts.merge(PointTable.verdict(each), 1, Integer::sum));
        return points + (points == 1 ? " point" : " points")
                + (runs == points ? "" : " of " + runs + " runs (medians)") + ": "
                + verdicts.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    /** Reasons of the verdicts, objectives, the answer to the requirement, goodput, front, knee, saturation and area, one line each. */
    static List<Line> of(Sweep sweep, Curve curve) {
        List<Line> lines = new ArrayList<>();
        reasons(lines, curve);
        objectives(lines, curve);
        requirement(lines, sweep, curve);
        goodput(lines, curve);
        front(lines, curve);
        saturation(lines, curve);
        area(lines, sweep, curve);
        return lines;
    }

    private static void reasons(List<Line> lines, Curve curve) {
        List<SweepPoint> against =
                curve.points().stream().filter(each -> !reason(each).isEmpty()).toList();
        against.stream()
                .limit(REASONS_MAX)
                .forEach(each -> lines.add(
                        new Line("At " + PointTable.concurrency(each), Printable.escape(reason(each), EVIDENCE_MAX))));
        if (against.size() > REASONS_MAX) {
            lines.add(new Line("Further", "reasons at " + places(against.subList(REASONS_MAX, against.size()))));
        }
    }

    private static String reason(SweepPoint point) {
        return point.runs().stream()
                .map(SweepRun::reason)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String places(List<SweepPoint> points) {
        return points.stream().map(PointTable::concurrency).collect(Collectors.joining(", "));
    }

    private static void objectives(List<Line> lines, Curve curve) {
        List<String> stated = curve.points().stream()
                .flatMap(each -> each.runs().stream())
                .map(SweepRun::objectives)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        if (!stated.isEmpty()) {
            List<SweepPoint> met =
                    curve.points().stream().filter(CurveLines::isMet).toList();
            lines.add(new Line(
                    "Objectives",
                    Printable.escape(String.join("; or ", stated), EVIDENCE_MAX) + ": "
                            + (met.isEmpty() ? "met at no concurrency" : "met at " + places(met))));
        }
    }

    private static boolean isMet(SweepPoint point) {
        Double share = point.figure(PointFigure.GOOD_SHARE);
        Double target = point.targetShare();
        return share != null && target != null && share >= target;
    }

    private static void front(List<Line> lines, Curve curve) {
        Front front = curve.front();
        if (front.steps().isEmpty()) {
            lines.add(new Line(
                    "Front",
                    "none: no sound point has both " + front.x().key() + " and "
                            + front.y().key() + hint(curve, front)));
        } else {
            lines.add(new Line(
                    "Front",
                    front.y().column() + " over " + front.x().column() + ": concurrency "
                            + places(front.steps().stream()
                                    .map(Front.Step::point)
                                    .toList())));
        }
        List<SweepPoint> off = curve.points().stream()
                .filter(each ->
                        !front.has(each) && !each.isOffline() && !each.unsound().isEmpty())
                .toList();
        if (!off.isEmpty() && !front.steps().isEmpty()) {
            lines.add(new Line(
                    "Off the front",
                    off.stream()
                            .map(each -> "concurrency " + PointTable.concurrency(each) + " (" + each.unsound() + ")")
                            .collect(Collectors.joining(", "))));
        }
        knee(lines, front);
    }

    private static void knee(List<Line> lines, Front front) {
        Front.Step knee = front.knee();
        if (knee != null) {
            lines.add(new Line(
                    "Knee",
                    "concurrency " + PointTable.concurrency(knee.point()) + ": "
                            + PointTable.median(knee.point(), front.y()) + " "
                            + front.y().column() + ", " + PointTable.median(knee.point(), front.x()) + " "
                            + front.x().column()));
        } else if (front.steps().size() > 2) {
            lines.add(new Line(
                    "Knee",
                    "none: no concurrency between the ends of the curve has 5 % more "
                            + front.y().column() + " times " + front.x().column() + " than both; it is larger at the "
                            + (front.isRising() ? "largest" : "smallest")));
        }
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

    private static void saturation(List<Line> lines, Curve curve) {
        String figure = curve.front().y().column();
        SweepPoint saturation = curve.saturation();
        if (saturation != null) {
            lines.add(new Line(
                    "Saturation",
                    "concurrency " + PointTable.concurrency(saturation) + "; beyond it " + figure
                            + " rises by less than 5 % per doubling of concurrency"));
        } else if (curve.front().steps().size() > 1) {
            lines.add(new Line(
                    "Saturation", "not reached; " + figure + " rises by 5 % or more per doubling of concurrency"));
        }
    }

    private static void goodput(List<Line> lines, Curve curve) {
        SweepPoint best = curve.bestGoodput();
        if (best != null) {
            String more = curve.points().stream()
                    .filter(each -> good(each) > good(best))
                    .max(Comparator.comparingDouble(CurveLines::good))
                    .map(each -> "; " + PointTable.median(each, PointFigure.GOODPUT_PER_S) + " at "
                            + PointTable.concurrency(each) + ", "
                            + (isMet(each) ? "where " + each.unsound() : "which misses the objectives"))
                    .orElse("");
            lines.add(new Line(
                    "Most goodput",
                    PointTable.median(best, PointFigure.GOODPUT_PER_S)
                            + " good requests/s within the objectives, at concurrency "
                            + PointTable.concurrency(best) + more));
        } else if (curve.points().stream().anyMatch(each -> each.targetShare() != null)) {
            lines.add(new Line("Most goodput", "none: no sound point meets the objectives"));
        }
    }

    private static double good(SweepPoint point) {
        Double good = point.figure(PointFigure.GOODPUT_PER_S);
        return good == null ? 0 : good;
    }

    private static void requirement(List<Line> lines, Sweep sweep, Curve curve) {
        Requirement.Answer answer = curve.required();
        Requirement requirement = sweep.options().requirement();
        if (answer == null || requirement == null) {
            return;
        }
        SweepPoint point = answer.point();
        lines.add(new Line(
                "Required",
                "largest concurrency with " + requirement + ": "
                        + (point == null ? "none" : PointTable.concurrency(point))
                        + (answer.missed() == null ? "" : "; " + answer.missed())));
    }

    private static void area(List<Line> lines, Sweep sweep, Curve curve) {
        Map<String, Double> areas = sweep.areas();
        Front.Range range = sweep.commonRange();
        Double area = areas.get(curve.name());
        if (area != null && range != null) {
            lines.add(new Line(
                    "Area",
                    PointTable.number(area) + " below the front, over " + PointTable.number(range.from()) + " to "
                            + PointTable.number(range.to()) + " "
                            + curve.front().x().column()
                            + (sweep.curves().size() > 1 ? ", which all curves share" : "")));
        } else if (sweep.curves().size() > 1) {
            lines.add(new Line(
                    "Area",
                    "none below the front: the curves share no range of "
                            + curve.front().x().column()));
        }
    }

    /** How many rules of submissions are met. */
    static String rules(Curve curve) {
        return Arrays.stream(Rules.Outcome.values())
                .map(outcome -> curve.rules().checks().stream()
                                .filter(each -> each.outcome() == outcome)
                                .count()
                        + " " + outcome(outcome))
                .collect(Collectors.joining(", "));
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
