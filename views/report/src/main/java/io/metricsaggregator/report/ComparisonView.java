package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.html.HtmlComparison;
import io.metricsaggregator.report.section.ComparisonRows;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.text.TextLines;
import io.metricsaggregator.runs.Comparison;
import java.util.ArrayList;
import java.util.List;

/** The formats of a comparison of runs. */
public enum ComparisonView {
    TEXT,
    MD,
    HTML;

    private static final int WIDTH_MIN = 60;
    private static final int REASONS_MAX = 3;

    private static final String METHOD =
            "Changes compare the figures of whole runs, those of shares in percentage points. Figures that time slices have too (rates, percentiles of"
                    + " TTFT and latency) are tested: the 95 % interval of slices and p are of the mean over slices, so that the change of the whole"
                    + " runs may lie outside, corrected for their autocorrelation, with p corrected by Holm's method; effect is Cliff's delta of the"
                    + " slices. same: the interval lies within 5 % of the baseline. inconclusive: not significant, but the interval allows a larger"
                    + " difference. not tested: too few slices, or slices do not have the figure. errors and good_share: p of the two-proportion"
                    + " z-test. fails more: better, in a run whose samples fail more. ? marks percentiles that too few values bound, ≈ those"
                    + " estimated from a histogram.";

    /** Renders comparisons with one baseline, for a file. */
    public String render(List<Comparison> comparisons) {
        return render(comparisons, false, ReportFormat.UNLIMITED);
    }

    /**
     * Renders comparisons with one baseline.
     *
     * @param full whether {@link #TEXT} has every figure, as the other formats have
     * @param width columns of the terminal, which {@link #TEXT} fits
     */
    public String render(List<Comparison> comparisons, boolean full, int width) {
        return switch (this) {
            case TEXT -> text(comparisons, full, Math.max(WIDTH_MIN, width));
            case MD -> markdown(comparisons);
            case HTML -> HtmlComparison.render(comparisons, METHOD);
        };
    }

    private static String title(Comparison comparison) {
        return Printable.escape(comparison.other(), 200) + " compared with "
                + Printable.escape(comparison.baseline(), 200);
    }

    private static List<String> notes(Comparison comparison) {
        return comparison.notes().stream()
                .map(each -> Printable.escape(each, 400))
                .toList();
    }

    private static List<String> changes(Comparison comparison) {
        return comparison.changes().stream()
                .map(each -> Printable.escape(each, 400))
                .toList();
    }

    private static String text(List<Comparison> comparisons, boolean full, int width) {
        List<String> lines = new ArrayList<>();
        for (Comparison each : comparisons) {
            text(lines, each, full, width);
        }
        lines.addAll(TextLines.wrapped("", METHOD, 0, width));
        return String.join("\n", lines) + "\n";
    }

    private static void text(List<String> lines, Comparison comparison, boolean full, int width) {
        lines.addAll(TextLines.wrapped("", title(comparison), 2, width));
        lines.add("");
        for (VerdictLines.Lines each : VerdictLines.of(comparison)) {
            lines.addAll(TextLines.wrapped("  ", each.head(), 2, width));
            each.against().forEach(line -> lines.addAll(TextLines.wrapped("    ", line, 2, width)));
        }
        ComparisonRows.answers(comparison).forEach(each -> lines.addAll(TextLines.wrapped("  ", each, 2, width)));
        lines.add("");
        Section.Table table = ComparisonRows.table(full ? comparison.rows() : comparison.headline());
        lines.addAll(TextLines.table(table, ComparisonRows.BY_ROOM, 2, width));
        int further = comparison.rows().size() - table.rows().size();
        if (further > 0) {
            lines.add("  " + further + (further == 1 ? " further figure" : " further figures") + ": compare --full");
        }
        lines.add("");
        notes(comparison).forEach(each -> lines.addAll(TextLines.wrapped("  ", "note: " + each, 2, width)));
        changes(comparison).forEach(each -> lines.addAll(TextLines.wrapped("  ", "differs: " + each, 2, width)));
        if (!lines.get(lines.size() - 1).isEmpty()) {
            lines.add("");
        }
    }

    private static String markdown(List<Comparison> comparisons) {
        StringBuilder out = new StringBuilder();
        comparisons.forEach(each -> markdown(out, each));
        return out.append(METHOD).append('\n').toString();
    }

    private static void markdown(StringBuilder out, Comparison comparison) {
        out.append("### ").append(markdown(title(comparison))).append("\n\n");
        for (VerdictLines.Lines each : VerdictLines.of(comparison)) {
            out.append("- **").append(markdown(each.head())).append("**\n");
            each.against().stream()
                    .limit(REASONS_MAX)
                    .forEach(line -> out.append("  - ").append(markdown(line)).append('\n'));
            if (each.against().size() > REASONS_MAX) {
                out.append("  - and ")
                        .append(each.against().size() - REASONS_MAX)
                        .append(" more\n");
            }
        }
        ComparisonRows.answers(comparison)
                .forEach(each -> out.append("- ").append(markdown(each)).append('\n'));
        out.append('\n');
        table(out, ComparisonRows.table(comparison.headline()));
        notes(comparison)
                .forEach(each -> out.append("- note: ").append(markdown(each)).append('\n'));
        if (!comparison.changes().isEmpty()) {
            details(
                    out,
                    "Settings and environment: " + changes(comparison).size() + " differences",
                    () -> changes(comparison)
                            .forEach(each -> out.append("- differs: `")
                                    .append(each.replace("`", "'"))
                                    .append("`\n")));
        }
        details(out, "All figures", () -> table(out, ComparisonRows.table(comparison.rows())));
        out.append('\n');
    }

    private static void details(StringBuilder out, String title, Runnable content) {
        out.append("\n<details><summary>").append(title).append("</summary>\n\n");
        content.run();
        out.append("\n</details>\n");
    }

    private static void table(StringBuilder out, Section.Table table) {
        row(out, table.columns().stream().map(Section.Column::title).toList());
        table.columns().forEach(each -> out.append(each.align() == Section.Align.LEFT ? "|---" : "|---:"));
        out.append("|\n");
        table.rows().forEach(each -> row(out, each));
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String markdown(String text) {
        return text.replace("`", "'").replace("<", "&lt;").replace("[", "\\[");
    }
}
