package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The end of a page: errors, workers, the ledger of records, what the daemon cost, environment, settings and all counters. */
final class HtmlRecords {
    private static final int ROWS_MAX = 50;

    private final MetricsSnapshot snapshot;
    private final PageBody body;

    private HtmlRecords(MetricsSnapshot snapshot, PageBody body) {
        this.snapshot = snapshot;
        this.body = body;
    }

    /** Appends the section of errors. */
    static void errors(MetricsSnapshot snapshot, PageBody body) {
        new HtmlRecords(snapshot, body).errors(snapshot.extensions().errors());
    }

    /** Appends the sections of workers, records, environment and settings. */
    static void rest(MetricsSnapshot snapshot, PageBody body) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            HtmlRecords records = new HtmlRecords(snapshot, body);
            records.workers(extensions.workers());
            records.ledger(extensions.self());
            records.pairs("Environment", extensions.run().environment());
            records.pairs("Settings", extensions.run().settings());
        }
    }

    /** Appends the folded table of all counters. */
    static void counters(MetricsSnapshot snapshot, PageBody body) {
        Markup out = body.folded("All counters", snapshot.counters().size() + " counters");
        HtmlTable.render(
                out,
                Section.Table.ofNumbers(
                        List.of("counter", "value"),
                        snapshot.counters().stream()
                                .map(each -> List.of(each.name(), count(each.value())))
                                .toList()));
        body.endFolded();
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private void errors(List<SnapshotExtensions.ErrorRow> errors) {
        if (errors.isEmpty()) {
            return;
        }
        Markup out = body.section("Errors, all records");
        HtmlTable.render(
                out,
                new Section.Table(
                        List.of(
                                new Section.Column("count", Section.Align.RIGHT),
                                new Section.Column("event", Section.Align.LEFT),
                                new Section.Column("type", Section.Align.LEFT),
                                new Section.Column("first message", Section.Align.LEFT)),
                        errors.stream()
                                .sorted(Comparator.comparingLong(SnapshotExtensions.ErrorRow::count)
                                        .reversed())
                                .limit(ROWS_MAX)
                                .map(each -> List.of(count(each.count()), each.event(), each.type(), each.message()))
                                .toList()));
        more(out, errors.size());
        body.end();
    }

    private void workers(List<SnapshotExtensions.WorkerRow> workers) {
        if (workers.isEmpty()) {
            return;
        }
        Markup out =
                body.folded("Workers, all records", workers.size() == 1 ? "1 worker" : workers.size() + " workers");
        HtmlTable.render(
                out,
                Section.Table.ofNumbers(
                        List.of("worker", "records", "issued", "ended", "errors", "records lost"),
                        workers.stream()
                                .limit(ROWS_MAX)
                                .map(each -> List.of(
                                        each.worker().isEmpty() ? "(unnamed)" : each.worker(),
                                        count(each.records()),
                                        count(each.issued()),
                                        count(each.completed()),
                                        count(each.failed()),
                                        count(each.sequenceLost())))
                                .toList()));
        more(out, workers.size());
        body.endFolded();
    }

    private static void more(Markup out, int rows) {
        if (rows > ROWS_MAX) {
            out.element("p", "and " + (rows - ROWS_MAX) + " more", "class", "small");
        }
    }

    private void ledger(@Nullable SelfCost self) {
        Ledger ledger = Ledger.of(snapshot);
        Markup out = body.folded(
                "Records and the daemon itself",
                count(ledger.received()) + " records received" + (ledger.balanced() ? "" : ", NOT BALANCED"));
        HtmlTable.render(
                out,
                new Section.Table(
                        List.of(
                                        "received",
                                        "applied",
                                        "malformed",
                                        "unknown",
                                        "duplicate",
                                        "orphan",
                                        "late",
                                        "without a sample")
                                .stream()
                                .map(each -> new Section.Column(each, Section.Align.RIGHT))
                                .toList(),
                        List.of(LongStream.of(
                                        ledger.received(),
                                        ledger.applied(),
                                        ledger.malformed(),
                                        ledger.unknown(),
                                        ledger.duplicate(),
                                        ledger.orphan(),
                                        ledger.late(),
                                        ledger.anonymous())
                                .mapToObj(HtmlRecords::count)
                                .toList())));
        if (!ledger.balanced()) {
            out.element("p", "The record ledger is not balanced.", "class", "verdict bad");
        }
        JournalText.besideLedger(snapshot).forEach(each -> out.element("p", each));
        if (self != null) {
            out.element("p", cost(self));
        }
        body.endFolded();
    }

    private String cost(SelfCost self) {
        return String.format(
                Locale.ROOT,
                "The daemon took %s of CPU and %d MiB; records waited %s (p99) and %s (max) to be applied;"
                        + " %,d snapshots were taken, %,d skipped.",
                Figures.duration(self.cpuNanos()),
                self.residentBytes() >> 20,
                Figures.duration(self.lagP99Nanos()),
                Figures.duration(self.lagMaxNanos()),
                snapshot.counter(CounterName.TICKS_PUBLISHED),
                snapshot.counter(CounterName.TICKS_SKIPPED));
    }

    private void pairs(String title, Map<String, String> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        Markup out = body.folded(title, pairs.size() + " entries");
        HtmlTable.render(
                out,
                new Section.Table(
                        List.of(new Section.Column("", Section.Align.LEFT), new Section.Column("", Section.Align.LEFT)),
                        pairs.entrySet().stream()
                                .map(each -> List.of(each.getKey(), each.getValue()))
                                .toList()));
        body.endFolded();
    }
}
