package io.metricsaggregator.report.sweep;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;

/** A sweep as text for a terminal: its points, what follows from them, the checks of the rules, and differences between the runs. */
final class SweepText {
    private static final int DIFFERENCE_MAX = 400;

    private SweepText() {}

    static String render(Sweep sweep) {
        StringBuilder out = new StringBuilder();
        for (Curve curve : sweep.curves()) {
            out.append(CurveLines.title(curve)).append("\n\n");
            PointTable points = PointTable.of(curve);
            table(out, points.head(), points.rows());
            CurveLines.of(sweep, curve)
                    .forEach(line -> out.append("  ").append(line).append('\n'));
            out.append("\n  Rules of MLPerf Endpoints (draft of 2026-05-05)\n");
            List<List<String>> checks = new ArrayList<>();
            for (Rules.Check each : curve.rules().checks()) {
                checks.add(List.of(CurveLines.outcome(each.outcome()), each.rule(), each.evidence()));
            }
            table(out, List.of(), checks);
            String regions = CurveLines.regions(curve);
            if (regions != null) {
                out.append("  ").append(regions).append("\n\n");
            }
        }
        PointTable.notes(sweep).forEach(each -> out.append(each).append('\n'));
        differences(sweep).forEach(each -> out.append("differs: ").append(each).append('\n'));
        return out.toString();
    }

    /** The differences between the runs, escaped for people. */
    static List<String> differences(Sweep sweep) {
        return sweep.differences().stream()
                .map(each -> Printable.escape(each, DIFFERENCE_MAX))
                .toList();
    }

    /** Appends a table; columns of numbers are aligned to the right. */
    private static void table(StringBuilder out, List<String> head, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>();
        if (!head.isEmpty()) {
            all.add(head);
        }
        all.addAll(rows);
        int columns = all.isEmpty() ? 0 : all.get(0).size();
        int[] widths = new int[columns];
        boolean[] right = new boolean[columns];
        for (int i = 0; i < columns; i++) {
            int column = i;
            widths[i] =
                    all.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
            right[i] = rows.stream().allMatch(row -> row.get(column).matches("(≈ )?[-\\d].*|-|offline"));
        }
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                String space = " ".repeat(widths[i] - row.get(i).length());
                line.append(right[i] ? space + row.get(i) : row.get(i) + space).append("  ");
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        out.append('\n');
    }
}
