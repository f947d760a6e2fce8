package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.Rounded;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The points of a curve as tables for people: {@code -} for what was not measured, medians where a concurrency has repeats. */
final class PointTable {
    /** What {@link #full} holds. */
    static final String FULL_LINE = "every figure of each point, with the smallest and largest value of repeats";

    private static final int NOTE_MAX = 400;
    private static final int COLUMNS_MAX = 8;
    /** Figures of the narrow table after those of the axes and of the requirement, as far as there is room. */
    private static final List<PointFigure> NEXT = List.of(
            PointFigure.TTFT_P90_MS,
            PointFigure.LATENCY_P99_MS,
            PointFigure.QPS,
            PointFigure.TPOT_P90_MS,
            PointFigure.LATENCY_P50_MS);

    private PointTable() {}

    /** A column of the narrow table. */
    private record Column(String title, Section.Align align, Function<SweepPoint, String> cell) {}

    /** A row for each point in at most eight columns: verdict, concurrency, the figures that decide, failures, objectives, place on the front. */
    static Section.Table of(Sweep sweep, Curve curve) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("verdict", Section.Align.LEFT, PointTable::verdict));
        columns.add(new Column("concurrency", Section.Align.RIGHT, PointTable::concurrency));
        boolean objectives = curve.points().stream().anyMatch(each -> each.figure(PointFigure.GOOD_SHARE) != null);
        Front front = curve.front();
        boolean placed = curve.points().stream()
                .anyMatch(each -> each.figure(front.x()) != null && each.figure(front.y()) != null);
        int others = columns.size() + 1 + (objectives ? 1 : 0) + (placed ? 1 : 0);
        decisive(sweep, curve).stream()
                .limit(COLUMNS_MAX - others)
                .forEach(each ->
                        columns.add(new Column(each.column(), Section.Align.RIGHT, point -> median(point, each))));
        columns.add(new Column("failed", Section.Align.RIGHT, point -> median(point, PointFigure.ERROR_SHARE)));
        if (objectives) {
            columns.add(new Column("objectives", Section.Align.LEFT, PointTable::objectives));
        }
        if (placed) {
            columns.add(new Column("front", Section.Align.LEFT, point -> mark(curve, point)));
        }
        return new Section.Table(
                columns.stream()
                        .map(each -> new Section.Column(each.title(), each.align()))
                        .toList(),
                curve.points().stream()
                        .map(point -> columns.stream()
                                .map(each -> each.cell().apply(point))
                                .toList())
                        .toList(),
                curve.points().stream().map(PointTable::tone).toList());
    }

    /** The columns of {@link #of} by their room: those of a narrow terminal lack the place on the front and further figures. */
    static List<Integer> byRoom(Section.Table table) {
        List<Integer> order = new ArrayList<>(List.of(0, 1));
        int last = table.columns().size() - 1;
        for (int i = 2; i <= last; i++) {
            String title = table.columns().get(i).title();
            if (title.equals("failed") || title.equals("objectives")) {
                order.add(i);
            }
        }
        for (int i = 2; i <= last; i++) {
            if (!order.contains(i)) {
                order.add(i);
            }
        }
        return order;
    }

    /** The measured figures of the axes and of the requirement, then further ones. */
    private static List<PointFigure> decisive(Sweep sweep, Curve curve) {
        Requirement requirement = sweep.options().requirement();
        Stream<PointFigure> required = requirement == null
                ? Stream.of()
                : requirement.limits().stream().map(Requirement.Limit::figure);
        return Stream.of(Stream.of(curve.front().y(), curve.front().x()), required, NEXT.stream())
                .flatMap(each -> each)
                .filter(each -> !each.isShare())
                .distinct()
                .filter(each -> curve.points().stream().anyMatch(point -> point.figure(each) != null))
                .toList();
    }

    /** A row for each figure and a column for each point, with the smallest and largest value of repeats. */
    static Section.Table full(Curve curve) {
        List<Section.Column> columns = new ArrayList<>();
        columns.add(new Section.Column("concurrency", Section.Align.LEFT));
        curve.points().forEach(each -> columns.add(new Section.Column(concurrency(each), Section.Align.RIGHT)));
        List<List<String>> rows = new ArrayList<>();
        add(rows, curve, "verdict", PointTable::verdict);
        if (curve.points().stream().anyMatch(each -> each.rate() != null)) {
            add(rows, curve, "intended requests/s", each -> optional(each.rate()));
        }
        if (curve.points().stream().anyMatch(each -> each.gpus() != null)) {
            add(rows, curve, "GPUs", each -> optional(each.gpus()));
        }
        for (PointFigure figure : PointFigure.values()) {
            if (curve.points().stream().anyMatch(each -> each.figure(figure) != null)) {
                add(rows, curve, figure.title(), each -> ranged(each, figure));
            }
        }
        add(rows, curve, "runs", each -> Integer.toString(each.runs().size()));
        add(rows, curve, "basis", each -> each.basis().wireName());
        add(rows, curve, "front", each -> place(curve, each));
        return new Section.Table(columns, rows);
    }

    private static void add(List<List<String>> rows, Curve curve, String name, Function<SweepPoint, String> cell) {
        rows.add(Stream.concat(Stream.of(name), curve.points().stream().map(cell))
                .toList());
    }

    static String verdict(SweepPoint point) {
        return point.validity() == Verdict.Validity.VALID && !point.isComplete()
                ? "not complete"
                : point.validity().name();
    }

    private static Section.Tone tone(SweepPoint point) {
        return !point.isSound()
                ? Section.Tone.BAD
                : point.validity() == Verdict.Validity.VALID ? Section.Tone.PLAIN : Section.Tone.WARN;
    }

    private static String objectives(SweepPoint point) {
        Double share = point.figure(PointFigure.GOOD_SHARE);
        Double target = point.targetShare();
        if (share == null || target == null) {
            return "-";
        }
        return (share >= target ? "met " : "MISSED ") + percent(share);
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

    /** The median of a figure with the marks of its percentile; {@code -} if it was not measured. */
    static String median(SweepPoint point, PointFigure figure) {
        Double median = point.figure(figure);
        return median == null ? "-" : point.marked(figure, shown(figure, median));
    }

    private static String ranged(SweepPoint point, PointFigure figure) {
        Double low = point.low(figure);
        Double high = point.high(figure);
        String median = median(point, figure);
        return low == null || high == null || low.equals(high)
                ? median
                : median + " (" + shown(figure, low) + " to " + shown(figure, high) + ")";
    }

    private static String shown(PointFigure figure, double value) {
        return figure.isShare() ? percent(value) : number(value);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    /** A figure with about four significant digits. */
    static String number(double value) {
        double size = Math.abs(value);
        int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 || size == 0 ? 3 : 4;
        String text = String.format(Locale.ROOT, "%,." + digits + "f", value);
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

    /** The place of a point on the front in a word. */
    private static String mark(Curve curve, SweepPoint point) {
        String place = place(curve, point);
        return place.startsWith("off:") ? "off" : place.replaceFirst(",.*", "");
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
