package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.ComparisonPlots;
import io.metricsaggregator.report.section.ComparisonRows;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders comparisons with one baseline as one HTML page: verdicts, headline changes, both runs over each other in plots, and the table of all figures.
 * Colour says better or worse and how certain that is; a mark and a word in each cell say the same.
 */
public final class HtmlComparison {
    private static final int NAME_MAX = 200;
    private static final String FOOTER =
            "Rendered by metrics-aggregator from the final snapshots of the runs: tables and plots show the same numbers.";

    private final PageBody body = new PageBody();

    private HtmlComparison() {}

    /**
     * The complete page.
     *
     * @param comparisons at least one, all with the same baseline
     * @param method a paragraph on how the runs were compared
     */
    public static String render(List<Comparison> comparisons, String method) {
        HtmlComparison page = new HtmlComparison();
        for (Comparison each : comparisons) {
            page.comparison(each, comparisons.size() > 1);
        }
        page.body.section("Method").element("p", method, "class", "small");
        page.body.end();
        return HtmlPage.render("Comparison", header(comparisons), page.body, FOOTER);
    }

    private static Markup header(List<Comparison> comparisons) {
        Markup header = new Markup().open("header").element("h1", "Comparison of runs");
        Comparison first = comparisons.get(0);
        header.element("p", "baseline: " + described(first.baseline(), first.before()));
        comparisons.forEach(each -> header.element("p", "run: " + described(each.other(), each.after())));
        return header.close();
    }

    /** The name, id and times of a run. */
    private static String described(String name, MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        String text = Printable.escape(name, NAME_MAX);
        if (extensions.isNone()) {
            return text;
        }
        RunInfo run = extensions.run();
        return text + ", run " + Printable.escape(run.runId(), 64) + ", "
                + (run.hasDates()
                        ? instant(run.startedWallNanos()) + " to " + instant(run.wallNanos())
                        : "dates unknown");
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void comparison(Comparison comparison, boolean named) {
        String suffix = named ? ": " + shortName(comparison.other()) : "";
        Markup out = body.section("Verdicts" + suffix);
        verdict(out, "baseline", comparison.baseline(), comparison.baselineVerdict());
        verdict(out, "run", comparison.other(), comparison.otherVerdict());
        body.end();
        out = body.section("Headline changes" + suffix);
        out.open("ul");
        for (String each : ComparisonRows.answers(comparison)) {
            out.element("li", each);
        }
        out.close();
        tiles(out, comparison);
        body.end();
        boolean same = shortName(comparison.baseline()).equals(shortName(comparison.other()));
        ComparisonPlots.of(
                        new ComparisonPlots.Run(
                                same ? "baseline" : "baseline " + shortName(comparison.baseline()),
                                comparison.before()),
                        new ComparisonPlots.Run(
                                same ? "run" : "run " + shortName(comparison.other()), comparison.after()))
                .forEach(group -> {
                    HtmlPlots.drawings(body.section(group.title() + suffix), group);
                    body.end();
                });
        out = body.section("Figures" + suffix);
        table(out, comparison.headline());
        for (String note : comparison.notes()) {
            out.element("p", "Note: " + Printable.escape(note, 400));
        }
        body.end();
        table(body.folded("All figures" + suffix, comparison.rows().size() + " rows"), comparison.rows());
        body.endFolded();
        if (!comparison.changes().isEmpty()) {
            out = body.folded(
                            "Settings and environment" + suffix,
                            comparison.changes().size() + " differences")
                    .open("ul");
            for (String change : comparison.changes()) {
                out.element("li", "differs: " + Printable.escape(change, 400));
            }
            out.close();
            body.endFolded();
        }
    }

    /** The last part of a path that is not the name of every final snapshot. */
    private static String shortName(String name) {
        String[] parts = name.replaceAll("/+$", "").split("/", -1);
        int last = parts.length - 1;
        String part = last > 0 && parts[last].equals("final_snapshot.json") ? parts[last - 1] : parts[last];
        return Printable.escape(part, 40);
    }

    private static void verdict(Markup out, String role, String name, Verdict verdict) {
        HtmlVerdict.summary(out, role + " " + Printable.escape(name, NAME_MAX) + ": ", verdict);
        HtmlVerdict.findings(out, verdict, Finding.Weight.NOTE, List.of());
    }

    private static void tiles(Markup out, Comparison comparison) {
        out.open("div", "class", "tiles");
        for (Comparison.Row row : comparison.headline()) {
            List<String> cells = ComparisonRows.cells(row);
            out.open("div", "class", "tile")
                    .element("span", row.marked(title(row.key(), comparison.after())))
                    .element("b", change(row), "class", style(row))
                    .element(
                            "small",
                            cells.get(ComparisonRows.BEFORE) + " → " + cells.get(ComparisonRows.BEFORE + 1) + " "
                                    + row.unit())
                    .element("small", outcome(row), "class", style(row))
                    .close();
        }
        out.close();
    }

    /** A key in words, such as {@code time to first token, p99}. */
    private static String title(String key, MetricsSnapshot snapshot) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            return key.replace("_per_s", "/s").replace('_', ' ');
        }
        String series = key.substring(0, dot);
        return Quantity.all().stream()
                        .filter(each -> each.key().equals(series))
                        .map(each -> each.title(snapshot))
                        .findFirst()
                        .orElse(series)
                + ", " + key.substring(dot + 1);
    }

    private static void table(Markup out, List<Comparison.Row> rows) {
        Section.Table plain = ComparisonRows.table(rows);
        List<List<String>> marked = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            List<String> line = new ArrayList<>(plain.rows().get(i));
            line.set(ComparisonRows.CHANGE, change(rows.get(i)));
            line.set(ComparisonRows.RESULT, outcome(rows.get(i)));
            marked.add(line);
        }
        HtmlTable.render(
                out,
                new Section.Table(plain.columns(), marked),
                (row, column) ->
                        column == ComparisonRows.CHANGE || column == ComparisonRows.RESULT ? style(rows.get(row)) : "");
    }

    /** The difference with an arrow for its direction. */
    private static String change(Comparison.Row row) {
        String change = ComparisonRows.change(row);
        return change.startsWith("+") ? "▲ " + change : change.matches("-\\d.*") ? "▼ " + change : change;
    }

    private static String outcome(Comparison.Row row) {
        return switch (row.outcome()) {
            case BETTER -> "✓ better";
            case WORSE -> "✗ WORSE";
            case SAME -> "= same";
            case INCONCLUSIVE -> "? inconclusive" + leaning(row);
            case FAILS_MORE -> "fails more";
            case UNTESTED -> "not tested";
        };
    }

    /** Which way an uncertain difference points; empty where it is 0 or neither is better. */
    private static String leaning(Comparison.Row row) {
        Boolean better = isBetter(row);
        return better == null ? "" : better ? ", perhaps better" : ", perhaps worse";
    }

    private static @Nullable Boolean isBetter(Comparison.Row row) {
        if (!row.isJudged() || row.after() == row.before()) {
            return null;
        }
        boolean rose = row.after() > row.before();
        return rose == row.higherIsBetter();
    }

    /** A class of the stylesheet: full colour for what the test bears out, thin for what it leaves open, grey for the rest. */
    private static String style(Comparison.Row row) {
        Boolean better = isBetter(row);
        return switch (row.outcome()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case SAME -> "same";
            case INCONCLUSIVE -> better == null ? "same" : better ? "lean-better" : "lean-worse";
            case FAILS_MORE -> "lean-worse";
            case UNTESTED -> "same";
        };
    }
}
