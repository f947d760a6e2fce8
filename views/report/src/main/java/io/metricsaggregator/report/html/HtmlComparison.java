package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.ComparisonPlots;
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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Renders comparisons with one baseline as one HTML page: verdicts, headline changes, both runs over each other in plots, and the table of all figures.
 * Colour says better or worse and how certain that is; a mark and a word in each cell say the same.
 */
public final class HtmlComparison {
    private static final int NAME_MAX = 200;
    /** The number of the column of the baseline; that of the run is the next. */
    private static final int BEFORE = 2;

    private static final List<String> HEADLINES = List.of(
            "requests_per_s",
            "output_tokens_per_s",
            "good_per_s",
            "errors",
            "ttft.p50",
            "ttft.p99",
            "latency.p50",
            "latency.p99",
            "tpot.p50",
            "tpot.p99");
    private static final String FOOTER =
            "Rendered by metrics-aggregator from the final snapshots of the runs: tables and plots show the same numbers.";

    private final PageBody body = new PageBody();

    private HtmlComparison() {}

    /**
     * The complete page.
     *
     * @param comparisons at least one, all with the same baseline
     * @param head titles of the columns of the table, of which the last is that of the outcome
     * @param method a paragraph on how the runs were compared
     */
    public static String render(List<Comparison> comparisons, Cells cells, List<String> head, String method) {
        HtmlComparison page = new HtmlComparison();
        for (Comparison each : comparisons) {
            page.comparison(each, cells, head, comparisons.size() > 1);
        }
        page.body.section("Method").element("p", method, "class", "small");
        page.body.end();
        return HtmlPage.render("Comparison", header(comparisons), page.body, FOOTER);
    }

    /** Formats the cells of a row: the same in every format. */
    @FunctionalInterface
    public interface Cells {
        /** As many cells as there are columns. */
        List<String> of(Comparison.Row row);
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

    private void comparison(Comparison comparison, Cells cells, List<String> head, boolean named) {
        String suffix = named ? ": " + shortName(comparison.other()) : "";
        Markup out = body.section("Verdicts" + suffix);
        verdict(out, "baseline", comparison.baseline(), comparison.baselineVerdict());
        verdict(out, "run", comparison.other(), comparison.otherVerdict());
        body.end();
        out = body.section("Headline changes" + suffix);
        tiles(out, comparison, cells);
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
        out = body.section("All figures" + suffix);
        table(out, comparison, cells, head);
        for (String note : comparison.notes()) {
            out.element("p", "Note: " + Printable.escape(note, 400));
        }
        body.end();
        if (!comparison.changes().isEmpty()) {
            out = body.section("Settings and environment" + suffix).open("ul");
            for (String change : comparison.changes()) {
                out.element("li", "differs: " + Printable.escape(change, 400));
            }
            out.close();
            body.end();
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

    private static void tiles(Markup out, Comparison comparison, Cells cells) {
        out.open("div", "class", "tiles");
        for (String key : HEADLINES) {
            comparison.rows().stream()
                    .filter(row -> row.key().equals(key))
                    .forEach(row -> out.open("div", "class", "tile")
                            .element("span", row.marked(title(row.key())))
                            .element("b", change(row), "class", style(row))
                            .element(
                                    "small",
                                    cells.of(row).get(BEFORE) + " → "
                                            + cells.of(row).get(BEFORE + 1) + " " + row.unit())
                            .element("small", outcome(row), "class", style(row))
                            .close());
        }
        out.close();
    }

    /** A key in words, such as {@code time to first token, p99}. */
    private static String title(String key) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            return key.replace("_per_s", "/s").replace('_', ' ');
        }
        String series = key.substring(0, dot);
        return Quantity.all().stream()
                        .filter(each -> each.key().equals(series))
                        .map(Quantity::title)
                        .findFirst()
                        .orElse(series)
                + ", " + key.substring(dot + 1);
    }

    private static void table(Markup out, Comparison comparison, Cells cells, List<String> head) {
        List<Section.Column> columns = new ArrayList<>();
        for (int i = 0; i < head.size(); i++) {
            boolean text = i < 2 || i == head.size() - 1;
            String title = i == 0 ? "figure" : i == head.size() - 1 ? "result" : head.get(i);
            columns.add(new Section.Column(title, text ? Section.Align.LEFT : Section.Align.RIGHT));
        }
        int change = head.indexOf("change");
        List<List<String>> rows = comparison.rows().stream()
                .map(row -> {
                    List<String> line = new ArrayList<>(cells.of(row));
                    line.set(change, change(row));
                    line.set(line.size() - 1, outcome(row));
                    return line;
                })
                .toList();
        HtmlTable.render(
                out,
                new Section.Table(columns, rows),
                (row, column) -> column == change || column == head.size() - 1
                        ? style(comparison.rows().get(row))
                        : "");
    }

    /** The relative difference with an arrow for its direction. */
    private static String change(Comparison.Row row) {
        Double change = row.change();
        if (change == null) {
            return row.after() == row.before() ? "0.0%" : "-";
        }
        String arrow = Math.abs(change) < 0.0005 ? "" : change > 0 ? "▲ " : "▼ ";
        return arrow + String.format(Locale.ROOT, "%+.1f%%", 100 * change);
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
