package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.report.section.Summary;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders the summary of a run for a terminal: lines wrap at its width, and tables have as many columns as fit; no number is cut. */
public final class SummaryPage {
    /** The least width that is used, in columns. */
    public static final int WIDTH_MIN = 60;

    private static final int HEAD = 11;
    private static final int NAME = 26;
    private static final int CELL = 9;
    /** Columns from which a table has mean, maximum and 99.9th percentile. */
    private static final int WIDE = 110;

    private static final List<String> BY_ROOM = List.of("p50", "p99", "p90", "max", "p99.9", "count", "mean");

    private static final List<Percentile> PERCENTILES = List.of(Percentile.P50, Percentile.P90, Percentile.P99);
    private static final List<Percentile> WITH_TAIL =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);

    private final Summary summary;
    private final int width;
    private final List<String> lines = new ArrayList<>();
    private boolean uncertain;
    private boolean estimated;

    private SummaryPage(Summary summary, int width) {
        this.summary = summary;
        this.width = Math.max(WIDTH_MIN, width);
    }

    /**
     * Renders a summary.
     *
     * @param width of the terminal in columns
     */
    public static String render(Report report, boolean unicode, int width) {
        SummaryPage page = new SummaryPage(Summary.of(report), width);
        page.all();
        StringBuilder text = new StringBuilder();
        for (String line : page.lines) {
            text.append(unicode ? line : SectionText.ascii(line)).append('\n');
        }
        return text.toString();
    }

    private void all() {
        row("Run", summary.title().isEmpty() ? summary.identity() : summary.title());
        if (!summary.title().isEmpty()) {
            row("", summary.identity());
        }
        row("Verdict", summary.verdict());
        summary.reasons().forEach(each -> row("", "- " + each));
        if (summary.furtherReasons() > 0) {
            row("", "- and " + summary.furtherReasons() + " more");
        }
        if (summary.telemetry().isEmpty()) {
            row("Samples", summary.samples());
            row("Rate", summary.rates());
            durations();
        } else {
            summary.telemetry().forEach(each -> row("", each));
        }
        if (summary.objectives() != null) {
            row("Objectives", summary.objectives());
        }
        row("Limited by", summary.limit());
        row("More", "report --full for every table, --format html for plots");
    }

    private void durations() {
        if (summary.durations().isEmpty()) {
            return;
        }
        boolean wide = width >= WIDE;
        List<List<String>> table = new ArrayList<>();
        table.add(
                wide
                        ? List.of("", "count", "mean", "p50", "p90", "p99", "p99.9", "max")
                        : List.of("", "p50", "p90", "p99"));
        summary.durations().forEach(each -> table.add(cells(each, wide)));
        int[] widths = new int[table.get(0).size()];
        for (List<String> row : table) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(
                        Math.max(widths[i], i == 0 ? NAME : CELL), row.get(i).length());
            }
        }
        List<Integer> shown = fitting(table.get(0), widths);
        String head = "In ms";
        for (List<String> row : table) {
            StringBuilder line = new StringBuilder(padded(head, HEAD)).append(padded(row.get(0), widths[0]));
            for (int i : shown) {
                line.append(" ".repeat(1 + widths[i] - row.get(i).length())).append(row.get(i));
            }
            lines.add(line.toString());
            head = "";
        }
        if (uncertain) {
            row("", PercentileText.UNCERTAIN_LEGEND);
        }
        if (estimated) {
            row("", PercentileText.ESTIMATE_LEGEND);
        }
    }

    /** The columns that fit, in their order; those of {@link #BY_ROOM} go from its end where numbers are long. */
    private List<Integer> fitting(List<String> titles, int[] widths) {
        List<Integer> shown = new ArrayList<>();
        int taken = HEAD + widths[0];
        for (String each : BY_ROOM) {
            int column = titles.indexOf(each);
            if (column > 0) {
                taken += 1 + widths[column];
                if (taken > width && !shown.isEmpty()) {
                    break;
                }
                shown.add(column);
            }
        }
        shown.sort(null);
        return shown;
    }

    private static String padded(String text, int size) {
        return text + " ".repeat(Math.max(0, size - text.length()));
    }

    private List<String> cells(Summary.Row row, boolean wide) {
        SeriesMetric series = row.series();
        estimated |= !series.isExact();
        List<String> cells = new ArrayList<>();
        cells.add(PercentileText.estimate(series) + row.name());
        if (wide) {
            Double mean = series.mean();
            cells.add(String.format(Locale.ROOT, "%,d", series.count()));
            cells.add(mean == null ? "-" : Figures.millis(mean));
        }
        for (Percentile each : wide ? WITH_TAIL : PERCENTILES) {
            uncertain |= !series.isCertain(each);
            cells.add(PercentileText.of(series, each, Figures::millis));
        }
        if (wide) {
            cells.add(Figures.millis(series.max().doubleValue()));
        }
        return cells;
    }

    /** Adds a text behind a head, wrapped at blanks. */
    private void row(String head, String text) {
        lines.addAll(TextLines.wrapped(padded(head, HEAD), text, text.startsWith("- ") ? 2 : 0, width));
    }
}
