package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.report.section.Summary;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.verdict.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Renders a report as Markdown, for a pull request or a wiki. */
public final class MarkdownReport {
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);
    private static final int ERRORS_MAX = 10;

    private final Report report;
    private final MetricsSnapshot snapshot;
    private final SnapshotExtensions extensions;
    private final Verdict verdict;
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport(Report report) {
        this.report = report;
        this.snapshot = report.snapshot();
        this.extensions = snapshot.extensions();
        this.verdict = Verdict.of(snapshot);
    }

    /** Renders the whole page. Text of producers is code or has its markup escaped. */
    public static String render(Report report) {
        MarkdownReport page = new MarkdownReport(report);
        page.summary();
        page.errors();
        page.details("All figures", page::figures);
        page.findings();
        return page.out.toString();
    }

    private void summary() {
        Summary summary = Summary.of(report);
        String id = extensions.run().runId();
        line(
                "## %s: %s",
                summary.title().isEmpty() ? "Run" + (id.isEmpty() ? "" : " " + code(id)) : plain(summary.title()),
                snapshot.state().name());
        line("");
        line("**%s**", plain(verdict.summary()));
        line("");
        for (String each : summary.reasons()) {
            line("- %s", plain(each));
        }
        if (summary.furtherReasons() > 0) {
            line("- and %d more", summary.furtherReasons());
        }
        if (!summary.reasons().isEmpty()) {
            line("");
        }
        SampleCounts counts = SampleCounts.of(snapshot);
        line("| issued | succeeded | failed | in flight | requests/s | output tokens/s | good |");
        line("|---:|---:|---:|---:|---:|---:|---:|");
        line(
                "| %s | %s | %s | %,d | %s | %s | %s |",
                SampleCounts.text(counts.issued()),
                SampleCounts.text(counts.succeeded()),
                SampleCounts.text(counts.failed()),
                counts.inFlight(),
                rate(report.requestsPerSecond()),
                Objects.requireNonNullElse(report.tokenRate(), "-"),
                extensions.goodput() == null
                        ? "-"
                        : Figures.share(extensions.goodput().share()));
        line("");
        durations(summary);
        if (summary.objectives() != null) {
            line("Objectives: %s", plain(summary.objectives()));
            line("");
        }
        if (!summary.title().isEmpty()) {
            line("%s", plain(summary.identity()));
        }
    }

    private void durations(Summary summary) {
        if (summary.durations().isEmpty()) {
            return;
        }
        line("| ms | p50 | p90 | p99 | max |");
        line("|---|---:|---:|---:|---:|");
        for (Summary.Row each : summary.durations()) {
            SeriesMetric series = each.series();
            line(
                    "| %s%s | %s | %s | %s | %s |",
                    PercentileText.estimate(series),
                    plain(each.name()),
                    PercentileText.of(series, Percentile.P50, Figures::millis),
                    PercentileText.of(series, Percentile.P90, Figures::millis),
                    PercentileText.of(series, Percentile.P99, Figures::millis),
                    Figures.millis(series.max().doubleValue()));
        }
        line("");
    }

    private void figures() {
        Throughput other = report.otherThroughput();
        if (other != null) {
            line(
                    "Over the LoadGen window of %s: %s requests/s (the run does not state its window).",
                    Figures.duration(other.nanos()), rate(other.requestsPerSecond()));
            line("");
        }
        quantities();
        Sections.of(report).forEach(this::section);
    }

    private void details(String title, Runnable content) {
        line("");
        line("<details><summary>%s</summary>", title);
        line("");
        content.run();
        line("");
        line("</details>");
    }

    private void quantities() {
        line("| | unit | count | mean | p50 | p90 | p99 | p99.9 | max |");
        line("|---|---|---:|---:|---:|---:|---:|---:|---:|");
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric != null) {
                row(quantity, metric);
            }
        }
    }

    private void section(Section section) {
        line("");
        line("### %s", section.title());
        section.blocks().forEach(each -> {
            line("");
            each.as(this::paragraph, this::table);
        });
    }

    private MarkdownReport paragraph(Section.Line text) {
        line("%s", plain(text.text()));
        return this;
    }

    private MarkdownReport table(Section.Table table) {
        List<Section.Column> columns = table.columns();
        line("%s", cells(columns.stream().map(Section.Column::title).toList()));
        line(
                "%s",
                cells(columns.stream()
                        .map(each -> each.align() == Section.Align.LEFT ? "---" : "---:")
                        .toList()));
        table.rows()
                .forEach(row -> line(
                        "%s",
                        IntStream.range(0, columns.size())
                                .mapToObj(i -> cell(columns.get(i), row.get(i)))
                                .collect(Collectors.joining(" | ", "| ", " |"))));
        return this;
    }

    /** Text, which may come from producers, is code; numbers are not. */
    private static String cell(Section.Column column, String text) {
        return column.align() == Section.Align.LEFT && !text.equals("-") ? code(text) : plain(text);
    }

    private static String cells(List<String> cells) {
        return cells.stream().map(MarkdownReport::plain).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private void errors() {
        if (extensions.errors().isEmpty()) {
            return;
        }
        line("");
        line("| errors | | first message |");
        line("|---:|---|---|");
        extensions.errors().stream()
                .sorted(Comparator.comparingLong(SnapshotExtensions.ErrorRow::count)
                        .reversed())
                .limit(ERRORS_MAX)
                .forEach(each -> line(
                        "| %,d | %s %s | %s |",
                        each.count(), code(each.event()), code(each.type()), code(each.message())));
    }

    private void findings() {
        details("Findings", () -> {
            verdict.findings()
                    .forEach(each -> line(
                            "- %s: **%s**: %s",
                            each.weight().name().toLowerCase(Locale.ROOT), each.what(), plain(each.evidence())));
            Notes.of(report).forEach(note -> line("- %s", plain(note)));
        });
    }

    private void row(Quantity quantity, SeriesMetric metric) {
        StringBuilder cells = new StringBuilder();
        Double mean = metric.mean();
        cells.append(mean == null ? "-" : number(quantity, mean));
        for (Percentile each : PERCENTILES) {
            cells.append(" | ").append(PercentileText.of(metric, each, value -> number(quantity, value)));
        }
        line(
                "| %s%s | %s | %,d | %s | %s |",
                PercentileText.estimate(metric),
                quantity.title(snapshot).strip(),
                quantity.unit(),
                metric.count(),
                cells,
                number(quantity, metric.max().doubleValue()));
    }

    private static String number(Quantity quantity, double value) {
        return quantity.isDuration() ? Figures.millis(value) : Figures.moment(value);
    }

    private static String rate(@Nullable Double value) {
        return value == null ? "-" : Figures.rate(value);
    }

    /** Text of producers as code: it cannot become markup or end a table cell. */
    private static String code(String text) {
        String safe = Printable.escape(text, 120).replace("`", "'").replace("|", "¦");
        return safe.isEmpty() ? "" : "`" + safe + "`";
    }

    /** Text with the characters that start markup, links and images replaced. */
    private static String plain(String text) {
        return text.replace("`", "'").replace("<", "&lt;").replace("|", "¦").replace("[", "\\[");
    }

    private void line(String format, @Nullable Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
