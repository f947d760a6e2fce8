package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.html.HtmlComparison;
import io.metricsaggregator.runs.Comparison;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The formats of a comparison of runs. */
public enum ComparisonView {
    TEXT,
    MD,
    HTML;

    /** Smaller numbers, such as microseconds in ms, have three significant digits instead of three decimals. */
    private static final double SMALL = 0.1;

    private static final List<String> HEAD =
            List.of("", "unit", "before", "after", "change", "95 % interval", "effect", "p", "");
    private static final String METHOD =
            "Changes compare the figures of whole runs. Figures that time slices have too (rates, percentiles of TTFT and latency) are tested: the"
                    + " 95 % interval and p are of the mean over slices, so that the change of the whole runs may lie outside, corrected for their autocorrelation, with p corrected by Holm's method;"
                    + " effect is Cliff's delta of the slices. same: the interval lies within 5 % of the baseline. inconclusive: not significant, but the"
                    + " interval allows a larger difference. not tested: too few slices, or slices do not have the figure. errors: p of the"
                    + " two-proportion z-test; fails more: better, in a run whose samples fail more. ? marks percentiles"
                    + " that too few values bound, ≈ those estimated from a histogram.";

    /** Renders comparisons with one baseline. */
    public String render(List<Comparison> comparisons) {
        return switch (this) {
            case TEXT -> page(comparisons, ComparisonView::text);
            case MD -> page(comparisons, ComparisonView::markdown);
            case HTML -> HtmlComparison.render(comparisons, ComparisonView::cells, HEAD, METHOD);
        };
    }

    private static String page(List<Comparison> comparisons, BiConsumer<StringBuilder, Comparison> section) {
        StringBuilder out = new StringBuilder();
        comparisons.forEach(each -> section.accept(out, each));
        return out.append(METHOD).append('\n').toString();
    }

    private static String title(Comparison comparison) {
        return Printable.escape(comparison.other(), 200) + " compared with "
                + Printable.escape(comparison.baseline(), 200);
    }

    private static List<List<String>> rows(Comparison comparison) {
        return comparison.rows().stream().map(ComparisonView::cells).toList();
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

    private static void text(StringBuilder out, Comparison comparison) {
        out.append(title(comparison)).append("\n\n");
        for (VerdictLines.Lines each : VerdictLines.of(comparison)) {
            out.append("  ").append(each.head()).append('\n');
            each.against().forEach(line -> out.append("    ").append(line).append('\n'));
        }
        out.append('\n');
        table(out, rows(comparison));
        notes(comparison).forEach(each -> out.append("  note: ").append(each).append('\n'));
        changes(comparison)
                .forEach(each -> out.append("  differs: ").append(each).append('\n'));
        out.append('\n');
    }

    private static void markdown(StringBuilder out, Comparison comparison) {
        out.append("### ").append(markdown(title(comparison))).append("\n\n");
        for (VerdictLines.Lines each : VerdictLines.of(comparison)) {
            out.append("- **").append(markdown(each.head())).append("**\n");
            each.against()
                    .forEach(line -> out.append("  - ").append(markdown(line)).append('\n'));
        }
        out.append("\n| ");
        out.append(String.join(" | ", HEAD)).append(" |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n");
        rows(comparison)
                .forEach(row -> out.append("| ").append(String.join(" | ", row)).append(" |\n"));
        out.append('\n');
        notes(comparison)
                .forEach(each -> out.append("- note: ").append(markdown(each)).append('\n'));
        changes(comparison)
                .forEach(each -> out.append("- differs: `")
                        .append(each.replace("`", "'"))
                        .append("`\n"));
        out.append('\n');
    }

    private static String markdown(String text) {
        return text.replace("`", "'").replace("<", "&lt;");
    }

    private static List<String> cells(Comparison.Row row) {
        Double change = row.change();
        return List.of(
                row.marked(row.key()),
                row.unit(),
                number(row.before()),
                number(row.after()),
                change == null ? "-" : percent(change),
                row.low() == null || row.high() == null ? "-" : percent(row.low()) + " .. " + percent(row.high()),
                row.effect() == null ? "-" : String.format(Locale.ROOT, "%+.2f", row.effect()),
                probability(row.p()),
                switch (row.outcome()) {
                    case BETTER -> "better";
                    case WORSE -> "WORSE";
                    case SAME -> "same";
                    case INCONCLUSIVE -> "inconclusive";
                    case FAILS_MORE -> "fails more";
                    case UNTESTED -> "not tested";
                });
    }

    private static String probability(@Nullable Double p) {
        return p == null ? "-" : p < 0.001 ? "<0.001" : String.format(Locale.ROOT, "%.3f", p);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%+.1f%%", 100 * share);
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

    private static void table(StringBuilder out, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>();
        all.add(HEAD);
        all.addAll(rows);
        int columns = HEAD.size();
        int[] widths = new int[columns];
        all.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                boolean left = i < 2 || i == columns - 1;
                line.append(String.format("%" + (left ? "-" : "") + Math.max(1, widths[i]) + "s  ", row.get(i)));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        out.append('\n');
    }
}
