package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.InFlightText;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables of counts: samples and records, errors, workers, and the daemon's own cost. */
final class CountTables {
    private static final int NAME_MAX = 48;
    private static final int MESSAGE_MAX = 240;

    private CountTables() {}

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Where every sample and every record is: each adds up to the samples issued, and to the records received. */
    static Map<String, Object> samples(MetricsSnapshot snapshot) {
        TableTree table =
                new TableTree("samples", "Samples and records").text("Count").numbers("Value");
        SnapshotExtensions extensions = snapshot.extensions();
        long failed = snapshot.counter(CounterName.TOTAL_SAMPLES_FAILED);
        row(table, "samples issued", snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED), "");
        SampleCounts counts = SampleCounts.of(snapshot);
        if (counts.succeeded() == null) {
            row(table, "completed, failed ones too", snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED), "");
        } else {
            row(table, "succeeded", counts.succeeded(), "");
        }
        Long bad = counts.failed();
        if (bad != null) {
            row(table, "failed", bad, bad == 0 ? "" : Texts.WARN);
        }
        aside(table, "completed outside tracked windows", counts.untracked(), "");
        if (!extensions.isNone()) {
            String what = InFlightText.isKnown(snapshot) ? "in flight" : "issued and not reported completed";
            row(table, what, counts.inFlight(), "");
        }
        aside(table, "issued again while in flight", snapshot.counter(CounterName.SAMPLES_REISSUED), Texts.WARN);
        aside(table, "evicted", snapshot.counter(CounterName.INFLIGHT_EVICTED), Texts.WARN);
        aside(table, "completed without issue", snapshot.counter(CounterName.COMPLETIONS_ORPHAN), Texts.WARN);
        row(table, "errors", failed, failed == 0 ? "" : Texts.WARN);
        if (!extensions.isNone()) {
            Ledger ledger = Ledger.of(snapshot);
            row(table, "records received", ledger.received(), "");
            row(table, "applied", ledger.applied(), "");
            aside(table, "malformed", ledger.malformed(), Texts.WARN);
            aside(table, "unknown", ledger.unknown(), Texts.WARN);
            aside(table, "duplicate", ledger.duplicate(), Texts.WARN);
            aside(table, "orphan", ledger.orphan(), Texts.WARN);
            aside(table, "late", ledger.late(), Texts.WARN);
            aside(table, "without a sample", ledger.anonymous(), Texts.WARN);
            for (JournalText.Count each : JournalText.of(snapshot)) {
                boolean lost = each.effect() == JournalText.Effect.LOST;
                row(table, each.what(), each.count(), lost ? Texts.BAD : Texts.WARN);
            }
        }
        return table.tree();
    }

    private static void row(TableTree table, String name, long value, String tone) {
        table.row(List.of(name, Texts.cell(count(value), tone)));
    }

    private static void aside(TableTree table, String name, long value, String tone) {
        if (value > 0) {
            row(table, name, value, tone);
        }
    }

    /** Errors by kind, the most frequent first. */
    static Map<String, Object> errors(MetricsSnapshot snapshot, RecentWindow recent) {
        TableTree table = new TableTree("errors", "Errors")
                .numbers("Count", "Last " + recent.seconds() + " s")
                .text("Event")
                .text("Type")
                .text("First message")
                .whenEmpty("None.");
        SnapshotExtensions extensions = snapshot.extensions();
        List<SnapshotExtensions.ErrorRow> rows = new ArrayList<>(extensions.errors());
        rows.sort(Comparator.comparingLong(SnapshotExtensions.ErrorRow::count).reversed());
        for (SnapshotExtensions.ErrorRow row : rows) {
            long now = recent.errors(row);
            table.row(List.of(
                    count(row.count()),
                    Texts.cell(now > 0 ? "+" + count(now) : "0", now > 0 ? Texts.BAD : "dim"),
                    Texts.of(row.event(), NAME_MAX),
                    Texts.of(row.type(), NAME_MAX),
                    Texts.of(row.message(), MESSAGE_MAX)));
        }
        return table.tree();
    }

    /** Counts by worker. */
    static Map<String, Object> workers(MetricsSnapshot snapshot, RecentWindow recent) {
        TableTree table = new TableTree("workers", "Workers")
                .text("Worker")
                .numbers("Records/s", "Issued", "Completed", "Failed", "Lost")
                .whenEmpty("None yet.");
        SnapshotExtensions extensions = snapshot.extensions();
        boolean over = snapshot.state().isTerminal();
        for (SnapshotExtensions.WorkerRow row : extensions.workers()) {
            Double perSecond = over ? null : recent.recordsPerSecond(row);
            table.row(List.of(
                    row.worker().isEmpty() ? "(unnamed)" : Texts.of(row.worker(), NAME_MAX),
                    perSecond == null ? "-" : perSecond == 0 ? "silent" : Figures.rate(perSecond),
                    count(row.issued()),
                    count(row.completed()),
                    Texts.cell(count(row.failed()), row.failed() > 0 ? Texts.WARN : ""),
                    Texts.cell(count(row.sequenceLost()), row.sequenceLost() > 0 ? Texts.BAD : "")));
        }
        return table.tree();
    }

    /** The daemon's own cost. */
    static Map<String, Object> daemon(MetricsSnapshot snapshot) {
        TableTree table = new TableTree("daemon", "Daemon")
                .text("Figure")
                .numbers("Value")
                .whenEmpty("This daemon does not report its cost.");
        SelfCost self = snapshot.extensions().self();
        if (self == null) {
            return table.tree();
        }
        long skipped = snapshot.counter(CounterName.TICKS_SKIPPED);
        table.row(List.of("CPU since start", Figures.duration(self.cpuNanos())));
        table.row(List.of("lag from receipt to applied, p99", Figures.duration(self.lagP99Nanos())));
        table.row(List.of("memory", self.residentBytes() < 0 ? "-" : count(self.residentBytes() >> 20) + " MiB"));
        table.row(List.of("publish interval", Figures.duration(self.tickIntervalNanos())));
        table.row(List.of("ticks skipped", Texts.cell(count(skipped), skipped > 0 ? Texts.WARN : "")));
        return table.tree();
    }
}
