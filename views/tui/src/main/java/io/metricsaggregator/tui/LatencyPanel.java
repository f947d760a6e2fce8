package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.report.section.SlowestSection;
import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Renders percentiles of the window and of the run, their certainty, and the heat map. */
final class LatencyPanel {
    private static final int NAME = 14;
    private static final int CELL = 9;
    private static final String BETWEEN = " | ";
    private static final List<Percentile> THREE = List.of(Percentile.P50, Percentile.P90, Percentile.P99);
    private static final List<Percentile> TWO = List.of(Percentile.P50, Percentile.P99);
    private static final List<Percentile> RUN =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);
    /** The percentiles of the table, from the widest to the narrowest. */
    private static final List<Columns> COLUMNS = List.of(
            new Columns(THREE, RUN),
            new Columns(THREE, THREE),
            new Columns(TWO, THREE),
            new Columns(TWO, TWO),
            new Columns(List.of(), TWO));
    /** Columns of the durations beside the heat map. */
    private static final int HEAT_LABEL = 12;

    private static final long HEAT_NANOS = 1_000_000_000L;

    private LatencyPanel() {}

    /**
     * Percentiles of a table.
     *
     * @param now of the window
     * @param run of the run
     */
    private record Columns(List<Percentile> now, List<Percentile> run) {}

    /** The table with a row for each series: as many percentiles as fit the width, those of the run longest. */
    static List<Line> table(RenderContext context) {
        List<SeriesName> metrics = context.metrics();
        if (metrics.isEmpty()) {
            return List.of(new Line().add(" no tracked sample has been measured yet"));
        }
        List<Line> lines = List.of();
        for (Columns each : COLUMNS) {
            lines = table(context, metrics, each);
            if (lines.stream().allMatch(line -> line.width() <= context.width())) {
                break;
            }
        }
        List<Line> certified = certification(context, metrics).wrap(context.width(), 3);
        return certified.get(0).width() == 0
                ? lines
                : Stream.concat(lines.stream(), certified.stream()).toList();
    }

    private static List<Line> table(RenderContext context, List<SeriesName> metrics, Columns columns) {
        List<Line> lines = new ArrayList<>();
        MetricsSnapshot base = context.comparedWith();
        Line head = new Line().add(" ms", Style.TITLE).to(NAME);
        Line names = new Line().to(NAME);
        if (!columns.now.isEmpty()) {
            head.add(center(context.windowTitle(), columns.now.size()), Style.DIM)
                    .add(BETWEEN, Style.DIM);
            columns.now.forEach(each -> names.add(right(each.label()), Style.DIM));
            names.add(BETWEEN, Style.DIM);
        }
        head.add(center("run", columns.run.size()), Style.DIM);
        columns.run.forEach(each -> names.add(right(each.label()), Style.DIM));
        if (base != null) {
            head.add("  p99 vs baseline", Style.DIM);
        }
        lines.add(head);
        lines.add(names);
        History.Span window = context.window();
        metrics.forEach(each -> lines.add(row(context, window, each, base, columns)));
        return lines;
    }

    private static String right(String text) {
        return String.format(Locale.ROOT, " %" + (CELL - 1) + "s", text);
    }

    private static String center(String text, int cells) {
        int room = cells * CELL;
        int left = Math.max(0, (room - text.length()) / 2);
        return String.format(Locale.ROOT, "%-" + room + "s", " ".repeat(left) + text);
    }

    private static Line row(
            RenderContext context,
            History.@Nullable Span window,
            SeriesName metric,
            @Nullable MetricsSnapshot base,
            Columns columns) {
        SeriesMetric series = context.series(metric);
        Line line = new Line().add(" " + context.name(metric)).to(NAME);
        String mark = context.unicode() ? "≈" : "~";
        if (!columns.now.isEmpty()) {
            Histogram now = window == null ? null : window.values(metric);
            double[] percents =
                    columns.now.stream().mapToDouble(Percentile::percent).toArray();
            double[] recent = now == null || series == null
                    ? new double[0]
                    : SeriesHistogram.estimate(now, percents)
                            .within(series.min().doubleValue(), series.max().doubleValue());
            for (int i = 0; i < percents.length; i++) {
                Double value = recent.length == 0 ? null : (Double) recent[i];
                cell(line, columns.now.get(i), value, now == null ? 0 : now.getTotalCount(), mark);
            }
            line.add(BETWEEN, Style.DIM);
        }
        if (series == null) {
            return line;
        }
        for (Percentile each : columns.run) {
            cell(line, each, series.percentile(each), series.count(), series.isExact() ? "" : mark);
        }
        if (base != null) {
            line.add("  ").add(Baseline.delta(series, RenderContext.series(metric, base), Percentile.P99));
        }
        return line;
    }

    private static void cell(Line line, Percentile percentile, @Nullable Double value, long count, String mark) {
        String text = PercentileText.of(value, percentile.percent(), count, Figures::millis);
        boolean certain = value == null || Certainty.isCertain(percentile, count);
        line.add(right(value == null ? text : mark + text), certain ? Style.PLAIN : Style.DIM);
    }

    /** The percentiles that are not certain yet, with the samples and the time they still need. */
    private static Line certification(RenderContext context, List<SeriesName> metrics) {
        Line line = new Line();
        if (context.snapshot().state().isTerminal()) {
            return line;
        }
        long most = 0;
        String which = "";
        for (SeriesName metric : metrics) {
            SeriesMetric series = context.series(metric);
            for (Percentile each : RUN) {
                long missing = series == null ? 0 : Certainty.missing(each.percent(), series.count());
                if (missing > most) {
                    most = missing;
                    which = context.name(metric) + " " + each.label();
                }
            }
        }
        if (most > 0) {
            line.add(
                    String.format(Locale.ROOT, " ? not certain yet: %s needs %,d more samples", which, most),
                    Style.DIM);
            History.Span window = context.window();
            Double perSecond = window == null ? null : window.perSecond(CounterName.TRACKED_SAMPLES_COMPLETED);
            if (perSecond != null && perSecond > 0) {
                line.add(", about " + Figures.duration((long) (most / perSecond * 1e9)), Style.DIM);
            }
        }
        return line;
    }

    /** The heat map of a series. */
    static List<Line> heat(RenderContext context, int rows) {
        SeriesName metric = context.view().metric(context.metrics());
        int columns = Math.max(8, Math.min(300, context.width() - 14));
        List<long @Nullable []> counts = new ArrayList<>();
        List<History.Entry> entries = context.history().upTo(context.shown());
        History.Entry last = null;
        for (History.Entry entry : entries) {
            if (last == null) {
                last = entry;
            } else if (entry.nanos - last.nanos >= HEAT_NANOS) {
                counts.add(HeatMap.difference(entry.coarse(metric), last.coarse(metric)));
                last = entry;
            }
        }
        List<long @Nullable []> shown = counts.subList(Math.max(0, counts.size() - columns), counts.size());
        // Without values the rows would be labelled with meaningless durations.
        if (shown.stream().allMatch(Objects::isNull)) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        lines.add(new Line()
                .add(" heat map of " + context.name(metric), Style.TITLE)
                .add("; m: another metric", Style.DIM));
        HeatMap map = new HeatMap(new ArrayList<>(shown));
        List<String> drawn = map.rows(rows, context.unicode());
        for (int i = 0; i < drawn.size(); i++) {
            lines.add(new Line()
                    .add(
                            String.format(Locale.ROOT, " %10s ", Figures.duration(map.edge(rows - 1 - i, rows))),
                            Style.DIM)
                    .add(drawn.get(i), Style.KEY));
        }
        lines.add(timeAxis(shown.size()));
        lines.add(new Line().to(HEAT_LABEL).add(HeatMap.legend(context.unicode()), Style.DIM));
        return lines;
    }

    /** The axis below the heat map: seconds before the shown snapshot. */
    private static Line timeAxis(int seconds) {
        String start = seconds >= 8 ? "-" + seconds + " s" : "";
        return new Line()
                .to(HEAT_LABEL)
                .add(start + " ".repeat(Math.max(0, seconds - start.length() - 1)) + "^ now", Style.DIM);
    }

    /** The close-up of a series: histogram, more percentiles, and the heat map. */
    static List<Line> closeUp(RenderContext context) {
        List<Line> lines = new ArrayList<>(table(context));
        lines.add(new Line());
        SeriesName metric = context.view().metric(context.metrics());
        SeriesMetric series = context.series(metric);
        if (series != null && series.count() > 0) {
            Line all = new Line().add(" " + context.name(metric) + " ", Style.TITLE);
            String mark = series.isExact() ? "" : context.unicode() ? "≈" : "~";
            series.shownPercentiles().entrySet().stream()
                    .sorted(Comparator.comparingDouble(each -> Double.parseDouble(each.getKey())))
                    .forEach(each -> all.add(" " + Percentile.label(each.getKey()), Style.DIM)
                            .add(" " + mark + Figures.millis(each.getValue())
                                    + Certainty.mark(Double.parseDouble(each.getKey()), series.count())));
            lines.addAll(all.wrap(context.width(), 3));
            Double mean = series.mean();
            lines.addAll(new Line()
                    .add(String.format(
                            Locale.ROOT,
                            "  max %s, min %s, mean %s ms of %,d values",
                            Figures.millis(series.max().doubleValue()),
                            Figures.millis(series.min().doubleValue()),
                            mean == null ? "-" : Figures.millis(mean),
                            series.count()))
                    .wrap(context.width(), 3));
            lines.addAll(histogram(series, context));
            lines.add(new Line());
        }
        List<String> slowest = SectionText.lines(SlowestSection.blocks(context.snapshot()), context.width() - 1);
        int below = slowest.isEmpty() ? 0 : slowest.size() + 2;
        lines.addAll(Chart.all(
                context,
                List.of(
                        new Chart.Quantity("ttft_p99_ns", "TTFT p99", 1, Figures::duration),
                        new Chart.Quantity("latency_p99_ns", "latency p99", 1, Figures::duration)),
                Math.max(4, Math.min(8, (context.height() + 5 - lines.size()) / 3))));
        lines.addAll(heat(context, Math.max(6, Math.min(16, context.height() - lines.size() - 5 - below))));
        if (!slowest.isEmpty()) {
            lines.add(new Line());
            lines.add(new Line().add(" slowest samples", Style.TITLE));
            slowest.forEach(each -> lines.add(new Line().add(" " + context.foreign(each))));
        }
        return lines;
    }

    private static List<Line> histogram(SeriesMetric series, RenderContext context) {
        long top = 1;
        for (var bucket : series.histogram()) {
            top = Math.max(top, bucket.count());
        }
        List<Line> lines = new ArrayList<>();
        int width = Math.max(10, context.width() - 36);
        var buckets = series.histogram();
        // Neighbouring buckets are merged to fit the remaining lines.
        int step = Math.max(1, (buckets.size() + 9) / 10);
        for (int i = 0; i < buckets.size(); i += step) {
            long count = 0;
            int end = Math.min(buckets.size(), i + step);
            for (int j = i; j < end; j++) {
                count += buckets.get(j).count();
            }
            int bar = (int) Math.min(width, Math.round((double) count / ((double) top * step) * width));
            lines.add(new Line()
                    .add(String.format(
                            Locale.ROOT,
                            "  up to %10s %,9d ",
                            Figures.duration(buckets.get(end - 1).high()),
                            count))
                    .add((context.unicode() ? "▇" : "#").repeat(Math.max(count > 0 ? 1 : 0, bar)), Style.KEY));
        }
        return lines;
    }
}
