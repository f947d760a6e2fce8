package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Sweep;
import java.util.List;
import java.util.stream.Collectors;

/** A sweep as Markdown, for a pull request: the points and what follows from them, the rest folded. */
final class SweepMarkdown {
    private SweepMarkdown() {}

    static String render(Sweep sweep) {
        StringBuilder out = new StringBuilder();
        for (Curve curve : sweep.curves()) {
            out.append("### ")
                    .append(safe(CurveLines.title(curve)))
                    .append(", ")
                    .append(CurveLines.count(curve))
                    .append("\n\n");
            table(out, PointTable.of(sweep, curve));
            CurveLines.of(sweep, curve)
                    .forEach(line -> out.append("- **")
                            .append(safe(line.label()))
                            .append("**: ")
                            .append(safe(line.text()))
                            .append('\n'));
            out.append('\n');
        }
        PointTable.notes(sweep)
                .forEach(each -> out.append("- ").append(safe(each)).append('\n'));
        for (Curve curve : sweep.curves()) {
            details(out, "All figures" + of(curve));
            table(out, PointTable.full(curve));
            out.append("</details>\n");
            details(out, CurveLines.RULES + of(curve) + ": " + CurveLines.rules(curve));
            table(out, SweepText.rules(curve));
            out.append("</details>\n");
        }
        List<String> differences = SweepText.differences(sweep);
        if (!differences.isEmpty()) {
            details(out, "Differences between the runs");
            differences.forEach(each ->
                    out.append("- differs: `").append(each.replace("`", "'")).append("`\n"));
            out.append("\n</details>\n");
        }
        return out.toString();
    }

    private static String of(Curve curve) {
        return curve.name().isEmpty() ? "" : " of " + CurveLines.title(curve);
    }

    private static void details(StringBuilder out, String title) {
        out.append("\n<details><summary>").append(safe(title)).append("</summary>\n\n");
    }

    private static void table(StringBuilder out, Section.Table table) {
        row(out, table.columns().stream().map(Section.Column::title).toList());
        table.columns().forEach(each -> out.append(each.align() == Section.Align.LEFT ? "|---" : "|---:"));
        out.append("|\n");
        table.rows().forEach(each -> row(out, each));
        out.append('\n');
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append(cells.stream().map(SweepMarkdown::safe).collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** The text without what Markdown would take for markup. */
    private static String safe(String text) {
        return text.replace("`", "'")
                .replace("<", "&lt;")
                .replace("[", "\\[")
                .replace("|", "\\|")
                .replace("_", "\\_");
    }
}
