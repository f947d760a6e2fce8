package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Rounded;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The points of a curve as a table for people. Figures that no point has are left out; a figure of repeats shows its median and range.
 *
 * @param head the titles of the columns
 * @param rows as many cells as titles each; {@code -} for what was not measured
 */
record PointTable(List<String> head, List<List<String>> rows) {
    private static final int NOTE_MAX = 400;

    static PointTable of(Curve curve) {
        List<PointFigure> shown = Arrays.stream(PointFigure.values())
                .filter(figure -> curve.points().stream().anyMatch(each -> each.figure(figure) != null))
                .toList();
        boolean rates = curve.points().stream().anyMatch(each -> each.rate() != null);
        boolean gpus = curve.points().stream().anyMatch(each -> each.gpus() != null);
        List<String> head = new ArrayList<>(List.of("concurrency"));
        if (rates) {
            head.add("rate");
        }
        if (gpus) {
            head.add("gpus");
        }
        shown.forEach(each -> head.add(each.key()));
        head.addAll(List.of("runs", "basis", "verdict", "front"));
        List<List<String>> rows = new ArrayList<>();
        for (SweepPoint point : curve.points()) {
            List<String> row = new ArrayList<>(List.of(concurrency(point)));
            if (rates) {
                row.add(optional(point.rate()));
            }
            if (gpus) {
                row.add(optional(point.gpus()));
            }
            shown.forEach(each -> row.add(figure(point, each)));
            row.add(Integer.toString(point.runs().size()));
            row.add(point.basis().wireName());
            row.add(point.validity().name().toLowerCase(Locale.ROOT));
            row.add(place(curve, point));
            rows.add(row);
        }
        return new PointTable(head, rows);
    }

    /** The concurrency of a point, such as {@code 64}, {@code 39.8 derived} or {@code offline}. */
    static String concurrency(SweepPoint point) {
        Double concurrency = point.concurrency();
        if (point.isOffline()) {
            return "offline";
        }
        return concurrency == null
                ? Printable.escape(point.runs().get(0).name(), 80)
                : point.isDerived() ? short3(concurrency) + " derived" : Rounded.of(concurrency);
    }

    private static String short3(double value) {
        return Rounded.of(Double.parseDouble(String.format(Locale.ROOT, "%.3g", value)));
    }

    private static String optional(@Nullable Double value) {
        return value == null ? "-" : Rounded.of(value);
    }

    private static String figure(SweepPoint point, PointFigure figure) {
        Double median = point.figure(figure);
        Double low = point.low(figure);
        Double high = point.high(figure);
        if (median == null || low == null || high == null) {
            return "-";
        }
        String value = point.marked(figure, number(median));
        return low.equals(high) ? value : value + " (" + number(low) + " to " + number(high) + ")";
    }

    /** A figure with about four significant digits and without thousands separators. */
    static String number(double value) {
        double size = Math.abs(value);
        int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 || size == 0 ? 3 : 4;
        String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    /** What the marks in the tables of a sweep mean, and the notes on its runs, escaped for people; empty without any. */
    static List<String> notes(Sweep sweep) {
        List<String> lines = new ArrayList<>();
        if (isAny(sweep, (point, figure) -> !point.isCertain(figure))) {
            lines.add(PercentileText.UNCERTAIN_LEGEND);
        }
        if (isAny(sweep, (point, figure) -> !point.isExact(figure))) {
            lines.add(PercentileText.ESTIMATE_LEGEND);
        }
        sweep.notes().forEach(each -> lines.add("note: " + Printable.escape(each, NOTE_MAX)));
        return lines;
    }

    private static boolean isAny(Sweep sweep, BiPredicate<SweepPoint, PointFigure> marked) {
        return sweep.curves().stream()
                .flatMap(each -> each.points().stream())
                .anyMatch(point -> Arrays.stream(PointFigure.values())
                        .anyMatch(figure -> point.figure(figure) != null && marked.test(point, figure)));
    }

    /** The place of a point on the front, or why it has none. */
    static String place(Curve curve, SweepPoint point) {
        Front front = curve.front();
        Front.Step knee = front.knee();
        if (front.has(point)) {
            String mark = point.isSound() ? "" : ", included though not sound";
            return (knee != null && knee.point().equals(point) ? "knee" : "front") + mark;
        }
        if (point.isOffline()) {
            return "offline";
        }
        if (!point.isComplete()) {
            return "off: not complete";
        }
        if (point.isFailing()) {
            return "off: requests fail";
        }
        if (!point.isSound()) {
            return "off: invalid";
        }
        return point.figure(front.x()) == null || point.figure(front.y()) == null ? "off: not measured" : "dominated";
    }
}
