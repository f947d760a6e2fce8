package io.metricsaggregator.report.sweep;

import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;

/** A sweep as Markdown, for a pull request. */
final class SweepMarkdown {
    private SweepMarkdown() {}

    static String render(Sweep sweep) {
        StringBuilder out = new StringBuilder();
        for (Curve curve : sweep.curves()) {
            out.append("### ").append(safe(CurveLines.title(curve))).append("\n\n");
            CurveLines.of(sweep, curve)
                    .forEach(line -> out.append("- ").append(safe(line)).append('\n'));
            out.append('\n');
            PointTable points = PointTable.of(curve);
            table(out, points.head(), points.rows());
            List<List<String>> checks = new ArrayList<>();
            for (Rules.Check each : curve.rules().checks()) {
                checks.add(List.of(each.rule(), CurveLines.outcome(each.outcome()), each.evidence()));
            }
            table(out, List.of("rule of MLPerf Endpoints (draft of 2026-05-05)", "", "found"), checks);
        }
        PointTable.notes(sweep)
                .forEach(each -> out.append("- ").append(safe(each)).append('\n'));
        SweepText.differences(sweep)
                .forEach(each -> out.append("- differs: `")
                        .append(each.replace("`", "'"))
                        .append("`\n"));
        return out.toString();
    }

    private static void table(StringBuilder out, List<String> head, List<List<String>> rows) {
        row(out, head);
        out.append("|---".repeat(head.size())).append("|\n");
        rows.forEach(each -> row(out, each));
        out.append('\n');
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append("| ")
                .append(String.join(
                        " | ", cells.stream().map(SweepMarkdown::safe).toList()))
                .append(" |\n");
    }

    /** The text without what Markdown would take for markup. */
    private static String safe(String text) {
        return text.replace("`", "'").replace("<", "&lt;").replace("|", "\\|").replace("_", "\\_");
    }
}
