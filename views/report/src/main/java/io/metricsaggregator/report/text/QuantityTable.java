package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.report.plot.Sparkline;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** The table of durations in milliseconds and of lengths in tokens, with the distribution of the sample latency. */
final class QuantityTable {
    private static final int SPARK_WIDTH = 60;
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);

    private static final int NAME = 26;
    private static final int CELL = 10;
    private static final List<String> COLUMNS =
            List.of("count", "mean", "std", "min", "p50", "p90", "p99", "p99.9", "max");
    /** The columns in the order in which they find room. */
    private static final List<String> BY_ROOM =
            List.of("p50", "p90", "p99", "p99.9", "max", "count", "mean", "min", "std");

    private final boolean unicode;
    private final List<String> shown;
    private final List<String> lines = new ArrayList<>();
    private boolean uncertain;
    private boolean estimated;

    private QuantityTable(boolean unicode, int width) {
        this.unicode = unicode;
        this.shown = BY_ROOM.subList(0, Math.max(1, Math.min(BY_ROOM.size(), (width - NAME) / CELL)));
    }

    /**
     * The lines of the table; durations come with an empty line before them. Empty without measured quantities.
     *
     * @param width columns that rows may take
     */
    static List<String> lines(MetricsSnapshot snapshot, boolean unicode, int width) {
        QuantityTable table = new QuantityTable(unicode, width);
        table.durations(snapshot);
        for (Quantity quantity : Quantity.of(snapshot)) {
            if (!quantity.isDuration()) {
                table.length(quantity.title(snapshot), quantity.measured(snapshot));
            }
        }
        if (table.uncertain) {
            table.line(PercentileText.UNCERTAIN_LEGEND);
        }
        if (table.estimated) {
            table.line(PercentileText.ESTIMATE_LEGEND);
        }
        return table.lines;
    }

    private void durations(MetricsSnapshot snapshot) {
        if (Quantity.durations(snapshot).stream().allMatch(each -> each.measured(snapshot) == null)) {
            return;
        }
        lines.add("");
        row("Durations in ms", COLUMNS);
        for (Quantity quantity : Quantity.durations(snapshot)) {
            duration(quantity.title(snapshot), quantity.measured(snapshot));
        }
        SeriesMetric latency = SuccessSeries.LATENCY.shown(snapshot);
        if (latency != null && latency.count() > 0 && !latency.histogram().isEmpty()) {
            distribution(latency);
        }
    }

    private void duration(String name, @Nullable SeriesMetric series) {
        if (series == null || series.count() == 0) {
            return;
        }
        row(name, series, Figures::millis, Figures::millis);
    }

    private void length(String name, @Nullable SeriesMetric series) {
        if (series != null && series.count() > 0) {
            row(name, series, Figures::count, Figures::moment);
        }
    }

    private void row(String name, SeriesMetric series, DoubleFunction<String> value, DoubleFunction<String> moment) {
        estimated |= !series.isExact();
        row(PercentileText.estimate(series) + name, cells(series, value, moment));
    }

    /**
     * The cells of a row.
     *
     * @param value shows a recorded value
     * @param moment shows the mean and the standard deviation
     */
    private List<String> cells(SeriesMetric series, DoubleFunction<String> value, DoubleFunction<String> moment) {
        List<String> cells = new ArrayList<>();
        cells.add(String.format(Locale.ROOT, "%,d", series.count()));
        Double mean = series.mean();
        cells.add(mean == null ? "-" : moment.apply(mean));
        cells.add(series.count() < 2 ? "-" : moment.apply(Report.standardDeviation(series)));
        cells.add(value.apply(series.min().doubleValue()));
        for (Percentile percentile : PERCENTILES) {
            uncertain |= !series.isCertain(percentile);
            cells.add(PercentileText.of(series, percentile, value));
        }
        cells.add(value.apply(series.max().doubleValue()));
        return cells;
    }

    private void row(String name, List<String> cells) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-" + NAME + "s", name));
        for (int i = 0; i < cells.size(); i++) {
            if (shown.contains(COLUMNS.get(i))) {
                row.append(String.format(Locale.ROOT, " %" + (CELL - 1) + "s", cells.get(i)));
            }
        }
        line(row.toString());
    }

    private void line(String text) {
        lines.add(unicode ? text : SectionText.ascii(text));
    }

    /** Draws the buckets up to the maximum: the display histogram of a narrow series has empty ones above it. */
    private void distribution(SeriesMetric series) {
        List<HistogramBucket> buckets = series.histogram();
        int end = buckets.size();
        while (end > 1 && buckets.get(end - 1).count() == 0) {
            end--;
        }
        long[] counts =
                buckets.stream().limit(end).mapToLong(HistogramBucket::count).toArray();
        lines.add(String.format(
                Locale.ROOT,
                "%-26s %s |%s| %s (log scale)",
                "  distribution",
                Figures.duration(buckets.get(0).low()),
                Sparkline.draw(counts, SPARK_WIDTH, unicode),
                Figures.duration(
                        Math.min(buckets.get(end - 1).high(), series.max().doubleValue()))));
    }
}
