package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.runs.Comparison;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of a comparison as a table, and what follows from them in words: the same in every format. */
public final class ComparisonRows {
    /** The column of the baseline's value; that of the run is the next. */
    public static final int BEFORE = 2;
    /** The column of the change. */
    public static final int CHANGE = 4;
    /** The column of the outcome. */
    public static final int RESULT = 5;
    /** The columns in the order in which they find room. */
    public static final List<Integer> BY_ROOM = List.of(0, BEFORE, BEFORE + 1, CHANGE, RESULT, 1, 6, 8, 7);

    private static final List<Section.Column> COLUMNS = List.of(
            new Section.Column("figure", Section.Align.LEFT),
            new Section.Column("unit", Section.Align.LEFT),
            new Section.Column("before", Section.Align.RIGHT),
            new Section.Column("after", Section.Align.RIGHT),
            new Section.Column("change", Section.Align.RIGHT),
            new Section.Column("result", Section.Align.LEFT),
            new Section.Column("95 % interval of slices", Section.Align.RIGHT),
            new Section.Column("effect", Section.Align.RIGHT),
            new Section.Column("p", Section.Align.RIGHT));
    /** Smaller numbers, such as microseconds in ms, have three significant digits instead of three decimals. */
    private static final double SMALL = 0.1;

    private ComparisonRows() {}

    /** A table of rows. */
    public static Section.Table table(List<Comparison.Row> rows) {
        return new Section.Table(
                COLUMNS, rows.stream().map(ComparisonRows::cells).toList());
    }

    /** What the tests found, whether the run fails more, and the objectives: a sentence each, printable. */
    public static List<String> answers(Comparison comparison) {
        List<String> answers = new ArrayList<>();
        String found = Stream.of(
                        keys(comparison, Comparison.Outcome.WORSE, "WORSE: "),
                        keys(comparison, Comparison.Outcome.BETTER, "better: "))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
        answers.add(found.isEmpty() ? "no tested figure is better or worse" : found);
        if (comparison.failures() != null) {
            answers.add(comparison.failures() + keys(comparison, Comparison.Outcome.FAILS_MORE, ", so not "));
        }
        String objectives = comparison.objectives();
        if (objectives != null) {
            answers.add("objectives " + Printable.escape(objectives, 400));
        }
        return answers;
    }

    private static String keys(Comparison comparison, Comparison.Outcome outcome, String words) {
        String keys = comparison.rows().stream()
                .filter(each -> each.outcome() == outcome)
                .map(Comparison.Row::key)
                .collect(Collectors.joining(", "));
        return keys.isEmpty() ? "" : words + keys;
    }

    /** The cells of a row. */
    public static List<String> cells(Comparison.Row row) {
        return List.of(
                row.marked(row.key()),
                row.unit(),
                number(row.before()),
                number(row.after()),
                change(row),
                switch (row.outcome()) {
                    case BETTER -> "better";
                    case WORSE -> "WORSE";
                    case SAME -> "same";
                    case INCONCLUSIVE -> "inconclusive";
                    case FAILS_MORE -> "fails more";
                    case UNTESTED -> "not tested";
                },
                row.low() == null || row.high() == null ? "-" : percent(row.low()) + " .. " + percent(row.high()),
                row.effect() == null ? "-" : signed("%+.2f", row.effect()),
                probability(row.p()));
    }

    /** The relative difference, of shares that of percentage points; {@code -} if the baseline is 0. */
    public static String change(Comparison.Row row) {
        if (row.isShare()) {
            return signed("%+.2f", row.after() - row.before()) + " points";
        }
        Double change = row.change();
        return change != null ? percent(change) : row.after() == row.before() ? "0.0%" : "-";
    }

    private static String probability(@Nullable Double p) {
        return p == null ? "-" : p < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", p);
    }

    private static String percent(double share) {
        double size = Math.abs(100 * share);
        return signed(size >= 1000 ? "%+,.0f" : "%+.1f", 100 * share) + "%";
    }

    /** A number with its sign, and none if all of its digits are 0. */
    private static String signed(String format, double value) {
        String text = String.format(Locale.ROOT, format, value);
        return text.matches("[+-][0.]+") ? text.substring(1) : text;
    }

    private static String number(double value) {
        double size = Math.abs(value);
        if (size > 0 && size < SMALL) {
            return new BigDecimal(value)
                    .round(new MathContext(3))
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return String.format(Locale.ROOT, size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f", value);
    }
}
