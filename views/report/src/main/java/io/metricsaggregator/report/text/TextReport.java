package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.report.plot.Sparkline;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.report.section.TelemetrySections;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders a report as a page of text. Control characters in text of producers are escaped. */
public final class TextReport {
    private static final int SPARK_WIDTH = 60;
    private static final int ROWS_MAX = 12;

    private final Report report;
    private final MetricsSnapshot snapshot;
    private final boolean unicode;
    private final int width;
    private final StringBuilder out = new StringBuilder();

    /**
     * Creates the page of a report.
     *
     * @param width columns that tables may take; those of percentiles stay longest
     */
    public TextReport(Report report, boolean unicode, int width) {
        this.width = width;
        this.report = report;
        this.snapshot = report.snapshot();
        this.unicode = unicode;
    }

    /** Renders the whole page; called once per instance. */
    public String render() {
        header();
        List<Section> sections =
                Sections.of(report).stream().filter(each -> each.kind() == null).toList();
        boolean samples = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) > 0
                || TelemetrySections.of(snapshot).isEmpty();
        if (samples) {
            samples();
            throughput();
        }
        verdict();
        if (samples) {
            sections.stream().filter(each -> !each.hasTable()).forEach(each -> lines(SectionText.labelled(each)));
            lines(QuantityTable.lines(snapshot, unicode, width));
        }
        sections.stream().filter(Section::hasTable).forEach(this::tables);
        overTime();
        telemetry();
        finishReasons();
        errors();
        workers();
        ledger();
        daemon();
        notes();
        return out.toString();
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void header() {
        SnapshotExtensions extensions = snapshot.extensions();
        String source = ImportedText.headline(snapshot);
        if (source != null) {
            line("Source   %s", source);
        }
        String verdict = report.complete() ? "" : "  (NOT complete)";
        line("Run      %s%s", snapshot.state().wireName().toUpperCase(Locale.ROOT), verdict);
        if (!extensions.isNone()) {
            RunInfo run = extensions.run();
            line(
                    "         id %s, %s, metrics-aggregator %s",
                    Printable.escape(run.runId(), 64),
                    run.hasDates()
                            ? instant(run.startedWallNanos()) + " to " + instant(run.wallNanos())
                            : "dates unknown",
                    Printable.escape(run.version(), 64));
            String node = run.node();
            if (node != null) {
                line("         on node %s", Printable.escape(node, 128));
            }
        }
    }

    private static Instant instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.SECONDS);
    }

    private void samples() {
        SampleCounts counts = SampleCounts.of(snapshot);
        line(
                "Samples  issued %s, %s, failed %s%s%s",
                SampleCounts.text(counts.issued()),
                counts.completed(snapshot),
                SampleCounts.text(counts.failed()),
                counts.failedShare().isEmpty() ? "" : " (" + counts.failedShare() + ")",
                counts.evicted() == 0 ? "" : String.format(Locale.ROOT, ", evicted %,d", counts.evicted()));
        long warmup = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) - report.issued();
        if (warmup > 0) {
            line("         and %,d issued outside the tracked windows, only in figures of all records", warmup);
        }
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.inFlight().count() > 0) {
            SnapshotExtensions.InFlight left = extensions.inFlight();
            long endUnknown = Math.min(left.count(), ImportedText.endUnknown(snapshot));
            if (endUnknown > 0) {
                line("         %,d failed at a time that the imported file does not state", endUnknown);
            }
            if (left.count() > endUnknown) {
                line(
                        "         %,d still in flight, the oldest for %s; peak in flight %,d",
                        left.count() - endUnknown, Figures.duration((double) left.oldestAgeNanos()), left.peak());
            }
        }
    }

    private void throughput() {
        if (report.throughput() == null) {
            String tool = ImportedText.toolRate(snapshot);
            line(
                    "Rate     %s",
                    tool != null
                            ? tool
                            : ImportedText.hasTimeline(snapshot)
                                    ? "N/A: no tracked window with a completed sample"
                                    : "N/A: the imported file has no issue times");
            return;
        }
        line("Rate     %s", rate(report.throughput()));
        if (report.otherThroughput() != null) {
            line("         %s", rate(report.otherThroughput()));
        }
    }

    private String rate(Throughput rates) {
        String rate = report.tokenRate(rates);
        String tokens = rate == null ? "" : ", " + rate + " output tokens/s";
        return String.format(
                Locale.ROOT,
                "%s req/s%s, over %s (%s)",
                Figures.rate(rates.requestsPerSecond()),
                report.tokensIncomplete()
                        ? String.format(
                                Locale.ROOT,
                                ", output tokens/s incomplete: %,d texts not counted",
                                snapshot.pendingTasks())
                        : tokens,
                Figures.duration(rates.nanos()),
                rates.window() == ThroughputWindow.LOADGEN
                        ? "LoadGen window: first issue to the completion of the last issued"
                        : "tracked windows");
    }

    private void verdict() {
        Verdict verdict = Verdict.of(snapshot);
        line("Verdict  %s", verdict.summary());
        for (Finding each : verdict.findings()) {
            if (each.weight().isNamed()) {
                line("         %s: %s", each.what(), each.evidence());
            }
        }
    }

    private void lines(List<String> lines) {
        lines.forEach(each -> out.append(each).append('\n'));
    }

    private void tables(Section section) {
        out.append('\n');
        lines(SectionText.lines(section, width).stream()
                .map(each -> unicode ? each : SectionText.ascii(each))
                .toList());
    }

    private void overTime() {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.slices().length() < 2) {
            return;
        }
        Slices slices = extensions.slices();
        out.append('\n');
        line(
                "Over time, all records, %2$d slices of %1$s each",
                Figures.duration((double) slices.widthNanos()), slices.length());
        double perSecond = 1e9 / slices.widthNanos();
        spark(slices, "completed", "completed/s", value -> Figures.rate(value * perSecond));
        spark(slices, "failed", "errors/s", value -> Figures.rate(value * perSecond));
        spark(slices, "in_flight_max", "in flight", Figures::count);
        spark(slices, "ttft_p99_ns", "ttft p99", Figures::duration);
        spark(slices, "latency_p99_ns", "latency p99", Figures::duration);
    }

    private interface Show {
        String number(double value);
    }

    private void spark(Slices slices, String column, String name, Show show) {
        long[] values = slices.column(column);
        if (values == null) {
            return;
        }
        long top = 0;
        for (long value : values) {
            top = Math.max(top, value);
        }
        if (top > 0) {
            line("  %-14s |%s| peak %s", name, Sparkline.draw(values, SPARK_WIDTH, unicode), show.number((double) top));
        }
    }

    private void telemetry() {
        for (Section section : TelemetrySections.of(snapshot)) {
            out.append('\n');
            line("%s", section.title());
            SectionText.lines(section, width - 2).forEach(text -> line("  %s", text));
        }
    }

    private void finishReasons() {
        List<String> parts = new ArrayList<>();
        for (FinishReason reason : FinishReason.values()) {
            long count = snapshot.counter(CounterName.ofFinishReason(reason));
            if (count > 0) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s %,d (%s)",
                        reason.wireName(),
                        count,
                        Figures.share(count, report.completed())));
            }
        }
        if (!parts.isEmpty()) {
            out.append('\n');
            line("Finished %s", String.join(", ", parts));
        }
    }

    private void errors() {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.errors().isEmpty()) {
            return;
        }
        out.append('\n');
        line("Errors, all records");
        List<SnapshotExtensions.ErrorRow> rows = new ArrayList<>(extensions.errors());
        rows.sort((a, b) -> Long.compare(b.count(), a.count()));
        for (SnapshotExtensions.ErrorRow row : rows.subList(0, Math.min(ROWS_MAX, rows.size()))) {
            line(
                    "  %,9d  %s %s: %s",
                    row.count(),
                    Printable.escape(row.event(), 40),
                    row.type().isEmpty() ? "(no type)" : Printable.escape(row.type(), 60),
                    row.message().isEmpty() ? "(no message)" : Printable.escape(row.message(), 100));
        }
        if (rows.size() > ROWS_MAX) {
            line("             and %d more kinds", rows.size() - ROWS_MAX);
        }
    }

    private void workers() {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.workers().size() < 2) {
            return;
        }
        out.append('\n');
        line("%-26s %11s %9s %9s %9s %9s", "Workers, all records", "records", "issued", "ended", "errors", "lost");
        List<SnapshotExtensions.WorkerRow> rows = extensions.workers();
        for (SnapshotExtensions.WorkerRow row : rows.subList(0, Math.min(ROWS_MAX, rows.size()))) {
            line(
                    "  %-24s %,11d %,9d %,9d %,9d %,9d",
                    row.worker().isEmpty() ? "(unnamed)" : Printable.escape(row.worker(), 24),
                    row.records(),
                    row.issued(),
                    row.completed(),
                    row.failed(),
                    row.sequenceLost());
        }
        if (rows.size() > ROWS_MAX) {
            line("  and %d more", rows.size() - ROWS_MAX);
        }
    }

    private void ledger() {
        if (snapshot.extensions().isNone()) {
            return;
        }
        Ledger ledger = Ledger.of(snapshot);
        out.append('\n');
        line(
                "Ledger   %,d records received = %,d applied + %,d malformed + %,d unknown + %,d duplicate + %,d orphan"
                        + " + %,d late + %,d without a sample%s",
                ledger.received(),
                ledger.applied(),
                ledger.malformed(),
                ledger.unknown(),
                ledger.duplicate(),
                ledger.orphan(),
                ledger.late(),
                ledger.anonymous(),
                ledger.balanced() ? "" : "  NOT BALANCED");
        JournalText.besideLedger(snapshot).forEach(each -> line("         %s", each));
    }

    /** Prints the cost of the daemon. */
    private void daemon() {
        SelfCost self = snapshot.extensions().self();
        if (self == null) {
            return;
        }
        line(
                "Daemon   CPU %s, memory %s, lag from receipt to applied p99 %s (max %s), collections %d (%s)",
                known(self.cpuNanos(), Figures.duration(self.cpuNanos())),
                known(self.residentBytes(), String.format(Locale.ROOT, "%,d MiB", self.residentBytes() >> 20)),
                Figures.duration(self.lagP99Nanos()),
                Figures.duration(self.lagMaxNanos()),
                self.gcPauses(),
                known(self.gcNanos(), Figures.duration(self.gcNanos())));
        line(
                "         snapshots %,d taken, %,d skipped, late p99 %s (max %s)",
                snapshot.counter(CounterName.TICKS_PUBLISHED),
                snapshot.counter(CounterName.TICKS_SKIPPED),
                Figures.duration(self.tickLateP99Nanos()),
                Figures.duration(self.tickLateMaxNanos()));
    }

    private static String known(long value, String text) {
        return value < 0 ? "unknown" : text;
    }

    private void notes() {
        for (String note : Notes.of(report)) {
            line("Note     %s", note);
        }
    }
}
