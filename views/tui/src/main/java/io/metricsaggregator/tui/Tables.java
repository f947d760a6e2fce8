package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.ServerSection;
import io.metricsaggregator.report.section.TelemetrySections;
import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Renders tables: errors, workers, lengths, the daemon's own cost, and all raw metrics. */
final class Tables {
    /** Least width of a wrapped line, in columns. */
    private static final int WRAP_MIN = 20;
    /** Blanks before the further lines of a wrapped one. */
    private static final int INDENT = 7;
    /** Where the kinds of errors begin, in columns. */
    private static final int MESSAGE = 21;
    /** Longest message of an error, in characters: the daemon keeps 256 bytes, each of which may be escaped. */
    private static final int MESSAGE_MAX = 1536;

    private Tables() {}

    /** The kinds of errors, most frequent first: a line for each on the overview, the whole message on their own page. */
    static List<Line> errors(RenderContext context, int rowsMax) {
        List<SnapshotExtensions.ErrorRow> rows =
                new ArrayList<>(context.extensions().errors());
        if (rows.isEmpty()) {
            return List.of(new Line().add(" no errors so far"));
        }
        rows.sort((a, b) -> Long.compare(b.count(), a.count()));
        List<Line> lines = new ArrayList<>();
        lines.add(new Line()
                .add(String.format(Locale.ROOT, " %9s %8s", "errors", "now"), Style.TITLE)
                .to(MESSAGE)
                .add("kind: first message", Style.TITLE));
        History.Span window = context.window();
        boolean whole = rowsMax == Integer.MAX_VALUE;
        for (SnapshotExtensions.ErrorRow row : rows.subList(0, Math.min(rowsMax, rows.size()))) {
            long recent = row.count() - before(window, row);
            Line line = new Line()
                    .add(String.format(Locale.ROOT, " %,9d", row.count()), Style.WARN)
                    .add(
                            String.format(
                                    Locale.ROOT, " %8s", recent > 0 ? String.format(Locale.ROOT, "+%,d", recent) : ""),
                            Style.BAD)
                    .to(MESSAGE)
                    .add(RenderContext.narrow(row.event(), 24) + " " + RenderContext.narrow(row.type(), 30))
                    .add(
                            row.message().isEmpty()
                                    ? ""
                                    : ": " + RenderContext.narrow(row.message(), whole ? MESSAGE_MAX : context.width()),
                            Style.DIM);
            lines.addAll(whole ? line.wrap(context.width(), Math.min(MESSAGE, context.width() / 2)) : List.of(line));
        }
        if (rows.size() > rowsMax) {
            lines.add(new Line().add(" and " + (rows.size() - rowsMax) + " more: press 4", Style.DIM));
        }
        return lines;
    }

    private static long before(History.@Nullable Span window, SnapshotExtensions.ErrorRow row) {
        SnapshotExtensions then = window == null ? null : window.from().snapshot.extensions();
        if (then == null) {
            return row.count();
        }
        return then.errors().stream()
                .filter(each -> each.event().equals(row.event()) && each.type().equals(row.type()))
                .mapToLong(SnapshotExtensions.ErrorRow::count)
                .sum();
    }

    static List<Line> workers(RenderContext context, int rowsMax) {
        List<SnapshotExtensions.WorkerRow> rows = context.extensions().workers();
        if (rows.isEmpty()) {
            return List.of(new Line().add(" no workers so far"));
        }
        List<Line> lines = new ArrayList<>();
        lines.add(new Line()
                .add(
                        String.format(
                                Locale.ROOT,
                                " %-20s %10s %9s %9s %7s %7s",
                                "workers",
                                "records/s",
                                "issued",
                                "done",
                                "failed",
                                "lost"),
                        Style.TITLE));
        History.Span window = context.window();
        for (SnapshotExtensions.WorkerRow row : rows.subList(0, Math.min(rowsMax, rows.size()))) {
            Double perSecond = perSecond(window, row);
            Line line = new Line()
                    .add(String.format(
                            Locale.ROOT,
                            " %-20s %10s %,9d %,9d",
                            row.worker().isEmpty() ? "(unnamed)" : RenderContext.narrow(row.worker(), 20),
                            perSecond == null ? "-" : perSecond == 0 ? "silent" : Figures.rate(perSecond),
                            row.issued(),
                            row.completed()))
                    .add(String.format(Locale.ROOT, " %,7d", row.failed()), row.failed() > 0 ? Style.WARN : Style.PLAIN)
                    .add(
                            String.format(Locale.ROOT, " %,7d", row.sequenceLost()),
                            row.sequenceLost() > 0 ? Style.BAD : Style.PLAIN);
            lines.add(line);
        }
        if (rows.size() > rowsMax) {
            lines.add(new Line().add(" and " + (rows.size() - rowsMax) + " more: 5", Style.DIM));
        }
        return lines;
    }

    private static @Nullable Double perSecond(History.@Nullable Span window, SnapshotExtensions.WorkerRow row) {
        SnapshotExtensions then = window == null ? null : window.from().snapshot.extensions();
        if (window == null || then == null) {
            return null;
        }
        long before = then.workers().stream()
                .filter(each -> each.worker().equals(row.worker()))
                .mapToLong(SnapshotExtensions.WorkerRow::records)
                .sum();
        return window.rate((double) (row.records() - before));
    }

    /** Telemetry, at most {@code linesMax} lines of each kind below its title, which counts the others; never the head of a table without a row. */
    static List<Line> telemetry(RenderContext context, int linesMax) {
        List<Line> lines = new ArrayList<>();
        for (Section section : TelemetrySections.of(context.snapshot())) {
            boolean all = linesMax == Integer.MAX_VALUE;
            List<Line> texts = new ArrayList<>();
            int left = 0;
            for (Section.Block block : section.blocks()) {
                List<String> rows = all
                        ? SectionText.lines(List.of(block))
                        : SectionText.lines(List.of(block), context.width() - 3);
                int room = linesMax - texts.size();
                boolean table = block.as(line -> false, each -> true);
                int shown = table && room < 2 ? 0 : Math.min(room, rows.size());
                left += rows.size() - shown;
                for (String text : rows.subList(0, shown)) {
                    boolean bad = text.startsWith("UNREACHABLE") || text.startsWith("MISSING");
                    Line line = new Line().add("   " + context.foreign(text), bad ? Style.BAD : Style.PLAIN);
                    texts.addAll(all ? line.wrap(Math.max(WRAP_MIN, context.width()), INDENT) : List.of(line));
                }
            }
            lines.add(new Line()
                    .add(" " + section.title(), Style.TITLE)
                    .add(
                            left == 0 ? "" : "  and " + left + (left == 1 ? " more line: 6" : " more lines: 6"),
                            Style.DIM));
            lines.addAll(texts);
        }
        if (!lines.isEmpty()) {
            lines.add(new Line());
        }
        return lines;
    }

    /** Renders the inference servers, then all lines of every telemetry kind. */
    static List<Line> servers(RenderContext context) {
        List<Line> lines = new ArrayList<>();
        List<String> panel = SectionText.lines(ServerSection.blocks(context.snapshot()));
        for (String each : panel) {
            boolean head = !each.startsWith(" ");
            lines.addAll(new Line()
                    .add((head ? " " : "   ") + context.foreign(each), head ? Style.TITLE : Style.PLAIN)
                    .wrap(Math.max(WRAP_MIN, context.width()), INDENT));
        }
        if (!panel.isEmpty()) {
            lines.add(new Line());
        }
        lines.addAll(telemetry(context, Integer.MAX_VALUE));
        return lines.isEmpty()
                ? List.of(new Line().add(" no telemetry received: see run --scrape and --host", Style.DIM))
                : lines;
    }

    static List<Line> lengths(RenderContext context) {
        List<Line> lines = new ArrayList<>();
        for (SeriesName name : List.of(SeriesName.ISL, SeriesName.OSL)) {
            SeriesMetric series = context.snapshot().series(name);
            if (series != null && series.count() > 0) {
                Double mean = series.mean();
                lines.add(new Line()
                        .add(" " + name.title(), Style.TITLE)
                        .to(16)
                        .add(String.format(
                                Locale.ROOT,
                                "  p50 %s, p99 %s, max %s, mean %s",
                                percentile(series, Percentile.P50, context.unicode()),
                                percentile(series, Percentile.P99, context.unicode()),
                                Figures.count(series.max().doubleValue()),
                                mean == null ? "-" : Figures.moment(mean))));
            }
        }
        Line reasons = new Line().add(" finished", Style.TITLE).to(16).add(" ");
        long done = context.snapshot().counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        boolean any = false;
        for (FinishReason reason : FinishReason.values()) {
            long count = context.snapshot().counter(CounterName.ofFinishReason(reason));
            if (count > 0) {
                any = true;
                reasons.add(" " + reason.wireName() + " " + Figures.share(count, done));
            }
        }
        if (any) {
            lines.add(reasons);
        }
        return lines;
    }

    private static String percentile(SeriesMetric series, Percentile percentile, boolean unicode) {
        String text = PercentileText.of(series, percentile, Figures::count);
        return series.isExact() ? text : (unicode ? "≈" : "~") + text;
    }

    /** One line with the daemon's cost: CPU, lag and memory. */
    static Line daemonLine(RenderContext context) {
        SelfCost self = context.extensions().self();
        Line line = new Line().add(" daemon", Style.TITLE);
        if (self == null) {
            return line.add("  does not report its cost", Style.DIM);
        }
        History.Span window = context.window();
        Double cpu = cpu(window);
        line.add("  cpu " + (cpu == null ? "-" : String.format(Locale.ROOT, "%.0f%% of a core", 100 * cpu)));
        line.add("  lag p99 " + Figures.duration(self.lagP99Nanos()));
        if (self.ticksLengthened() > 0) {
            line.add("  interval now " + Figures.duration(self.tickIntervalNanos()), Style.WARN);
        }
        line.add("  memory " + (self.residentBytes() < 0 ? "?" : (self.residentBytes() >> 20) + " MiB"));
        long skipped = context.snapshot().counter(CounterName.TICKS_SKIPPED);
        return line.add("  ticks skipped " + skipped, skipped > 0 ? Style.WARN : Style.PLAIN);
    }

    private static @Nullable Double cpu(History.@Nullable Span window) {
        SnapshotExtensions before =
                window == null ? null : window.from().snapshot.extensions();
        SnapshotExtensions after = window == null ? null : window.to().snapshot.extensions();
        if (window == null || before == null || after == null) {
            return null;
        }
        SelfCost first = before.self();
        SelfCost second = after.self();
        return first == null || second == null ? null : window.rate((second.cpuNanos() - first.cpuNanos()) / 1e9);
    }

    static List<Line> daemon(RenderContext context) {
        List<Line> lines = new ArrayList<>();
        lines.add(daemonLine(context));
        SelfCost self = context.extensions().self();
        if (self == null) {
            return lines;
        }
        field(lines, "lag from receipt to applied, p50", Figures.duration(self.lagP50Nanos()));
        field(lines, "  p99", Figures.duration(self.lagP99Nanos()));
        field(lines, "  maximum", Figures.duration(self.lagMaxNanos()));
        field(lines, "CPU since start", Figures.duration(self.cpuNanos()));
        field(lines, "  of the main-loop thread", Figures.duration(self.eventsCpuNanos()));
        field(lines, "garbage collections", self.gcPauses() + ", " + Figures.duration(self.gcNanos()));
        field(lines, "heap", (self.heapBytes() >> 20) + " MiB");
        field(lines, "values", (self.valuesBytes() >> 20) + " MiB, " + (self.spilledBytes() >> 20) + " MiB on disk");
        field(lines, "resident", (self.residentBytes() >> 20) + " MiB");
        field(lines, "ticks late, p99", Figures.duration(self.tickLateP99Nanos()));
        field(
                lines,
                "cost of a snapshot",
                Figures.duration(self.freezeNanos()) + " and " + Figures.duration(self.renderNanos()));
        context.snapshot().counters().forEach(counter -> {
            if (concernsTheDaemon(CounterName.ofWire(counter.name()))) {
                field(lines, counter.name(), String.format(Locale.ROOT, "%,d", counter.value()));
            }
        });
        return lines;
    }

    private static boolean concernsTheDaemon(@Nullable CounterName name) {
        return name != null
                && switch (name.group()) {
                    case DAEMON, TOKENS, JOURNAL -> true;
                    case SAMPLES, OUTCOMES, LEDGER, OPTIONAL -> false;
                };
    }

    private static void field(List<Line> lines, String name, String value) {
        lines.add(new Line().add(" " + name).to(36).add(" " + value));
    }

    /** Lists every counter and series. */
    static List<Line> raw(RenderContext context) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line().add(" all metrics (up and down to scroll)", Style.TITLE));
        RawFields fields = new RawFields(lines, context.unicode());
        context.snapshot().metrics().forEach(metric -> metric.accept(fields));
        return lines;
    }

    private record RawFields(List<Line> lines, boolean unicode) implements Metric.Visitor<RuntimeException> {
        @Override
        public void counter(CounterMetric counter) {
            field(lines, RenderContext.narrow(counter.name(), 34), String.format(Locale.ROOT, "%,d", counter.value()));
        }

        @Override
        public void series(SeriesMetric series) {
            field(
                    lines,
                    RenderContext.narrow(series.name(), 34),
                    String.format(
                            Locale.ROOT,
                            "p50 %s  p99 %s  max %s  n %,d",
                            percentile(series, Percentile.P50, unicode),
                            percentile(series, Percentile.P99, unicode),
                            series.max(),
                            series.count()));
        }
    }
}
