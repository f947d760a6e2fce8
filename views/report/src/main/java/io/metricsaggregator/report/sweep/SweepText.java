package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.text.TextLines;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A sweep as text for a terminal: its points, and what follows from them; the checks of the rules and every figure if asked for. */
final class SweepText {
    private static final int DIFFERENCE_MAX = 400;
    private static final int LABEL = 15;
    private static final int INDENT = 2;
    private static final int WIDTH_MIN = 60;

    private SweepText() {}

    /**
     * Renders a sweep.
     *
     * @param full whether every figure and rule is shown
     * @param columns of the terminal; lines wrap and the table of points loses columns
     */
    static String render(Sweep sweep, boolean full, int columns) {
        int width = Math.max(WIDTH_MIN, columns);
        List<String> lines = new ArrayList<>();
        for (Curve curve : sweep.curves()) {
            lines.addAll(
                    TextLines.wrapped("", CurveLines.title(curve) + ", " + CurveLines.count(curve), INDENT, width));
            lines.add("");
            Section.Table points = PointTable.of(sweep, curve);
            lines.addAll(TextLines.table(points, PointTable.byRoom(points), INDENT, width));
            lines.add("");
            for (CurveLines.Line each : CurveLines.of(sweep, curve)) {
                lines.addAll(labelled(each.label(), each.text(), width));
            }
            if (full) {
                full(lines, curve, width);
            } else {
                lines.addAll(labelled(
                        "Rules",
                        "of MLPerf Endpoints: " + CurveLines.rules(curve) + " (sweep --full lists them)",
                        width));
            }
            lines.add("");
        }
        PointTable.notes(sweep).forEach(each -> lines.addAll(TextLines.wrapped("", each, INDENT, width)));
        differences(sweep).forEach(each -> lines.addAll(TextLines.wrapped("", "differs: " + each, INDENT, width)));
        return String.join("\n", lines) + "\n";
    }

    private static void full(List<String> lines, Curve curve, int width) {
        lines.add("");
        Section.Table figures = PointTable.full(curve);
        // Columns that do not fit follow below the others.
        for (int from = 1; from < figures.columns().size(); ) {
            List<Integer> rest = new ArrayList<>(List.of(0));
            for (int i = from; i < figures.columns().size(); i++) {
                rest.add(i);
            }
            int fitting = TextLines.fitting(figures, rest, INDENT, width);
            lines.addAll(TextLines.table(figures, rest.subList(0, fitting), INDENT, width));
            lines.add("");
            from += fitting - 1;
        }
        lines.add("  " + CurveLines.RULES);
        int rule = curve.rules().checks().stream()
                .mapToInt(each -> CurveLines.outcome(each.outcome()).length())
                .max()
                .orElse(0);
        for (Rules.Check each : curve.rules().checks()) {
            String outcome = CurveLines.outcome(each.outcome());
            lines.addAll(TextLines.wrapped(
                    "  " + outcome + " ".repeat(rule + 2 - outcome.length()),
                    each.rule() + ": " + each.evidence(),
                    INDENT,
                    width));
        }
        String regions = CurveLines.regions(curve);
        if (regions != null) {
            lines.addAll(TextLines.wrapped("  ", regions, INDENT, width));
        }
    }

    private static List<String> labelled(String label, String text, int width) {
        String head = "  " + label + " ".repeat(Math.max(1, LABEL - label.length()));
        return TextLines.wrapped(head, text, LABEL + INDENT - head.length(), width);
    }

    /** The differences between the runs, escaped for people. */
    static List<String> differences(Sweep sweep) {
        return sweep.differences().stream()
                .map(each -> Printable.escape(each, DIFFERENCE_MAX))
                .toList();
    }

    /** The checks of the rules as a table. */
    static Section.Table rules(Curve curve) {
        return new Section.Table(
                Stream.of("result", "rule", "found")
                        .map(each -> new Section.Column(each, Section.Align.LEFT))
                        .toList(),
                curve.rules().checks().stream()
                        .map(each -> List.of(CurveLines.outcome(each.outcome()), each.rule(), each.evidence()))
                        .toList(),
                curve.rules().checks().stream()
                        .map(each -> each.outcome() == Rules.Outcome.NOT_MET ? Section.Tone.BAD : Section.Tone.PLAIN)
                        .toList());
    }
}
