package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.TransferFigures;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** KV-cache transfers: counts, throughput by several definitions, times, sources, failures and the slowest. */
final class TransferBlocks {
    private static final int SOURCES_MAX = 8;
    private static final int SLOWEST_MAX = 5;

    private TransferBlocks() {}

    /** The blocks of the run; empty without transfers. */
    static List<Section.Block> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        TransferSnapshot transfer = extensions.telemetry().transfer();
        if (transfer == null) {
            return List.of();
        }
        TransferFigures figures = transfer.cumulative().transfers();
        List<Section.Block> blocks = new ArrayList<>();
        blocks.add(new Section.Line(counts(figures)));
        blocks.add(new Section.Line(String.format(
                Locale.ROOT,
                "at a time: %s on average while any was in progress, %s at most",
                Tree.number(figures.concurrency().meanWhileBusy(), "%.2f"),
                Tree.count(figures.concurrency().peak()))));
        blocks.add(throughput(figures.throughput()));
        statistics(blocks, figures);
        sources(blocks, figures.bySource());
        if (!figures.failureReasons().isEmpty()) {
            blocks.add(Section.Table.ofNumbers(
                    List.of("reason of failures", "count"),
                    figures.failureReasons().entrySet().stream()
                            .map(each -> List.of(Tree.text(each.getKey(), 60), Tree.count(each.getValue())))
                            .toList()));
        }
        if (!figures.unknownLists().isEmpty()) {
            blocks.add(new Section.Line("lists of transfer.stats that this version does not know: "
                    + figures.unknownLists().entrySet().stream()
                            .map(each -> Tree.text(each.getKey(), 60) + " " + Tree.count(each.getValue()))
                            .collect(Collectors.joining(", "))));
        }
        slowest(blocks, figures.slowest());
        TransferSnapshot.Span last = transfer.lastInterval();
        TransferSnapshot.Logged logged =
                last == null ? null : last.released() != null ? last.released() : last.current();
        if (logged != null && logged.line() != null) {
            blocks.add(new Section.Line("last interval: " + Printable.escape(logged.line(), 400)));
        }
        return blocks;
    }

    private static String counts(TransferFigures figures) {
        TransferFigures.Counts counts = figures.counts();
        Double ratio = figures.successRatio();
        return String.format(
                Locale.ROOT,
                "%s done, %s MiB; failed %s, notifications failed %s, handshakes failed %s, receives failed %s,"
                        + " KV expired %s, notified after expiry %s; success %s",
                Tree.count(counts.successful()),
                Tree.number(figures.mebibytesTotal(), "%,.1f"),
                Tree.count(counts.failed()),
                Tree.count(counts.notificationsFailed()),
                Tree.count(counts.handshakesFailed()),
                Tree.count(counts.receivesFailed()),
                Tree.count(counts.kvExpired()),
                Tree.count(counts.notifiedAfterExpiry()),
                Figures.share(ratio));
    }

    private static Section.Table throughput(TransferFigures.Throughput throughput) {
        return Section.Table.ofNumbers(
                List.of("throughput", "MiB/s"),
                List.of(
                        List.of("while any was in progress", Tree.number(throughput.busy(), "%,.1f")),
                        List.of("over their span", Tree.number(throughput.span(), "%,.1f")),
                        List.of("by sum of durations, as vLLM logs it", Tree.number(throughput.pooled(), "%,.1f")),
                        List.of("mean of each transfer", Tree.number(throughput.meanOfRates(), "%,.1f"))));
    }

    private static void statistics(List<Section.Block> blocks, TransferFigures figures) {
        List<List<String>> rows = new ArrayList<>();
        row(rows, "transfer time", figures.xferMillis(), StatisticsTable::millis);
        row(rows, "post time", figures.postMillis(), StatisticsTable::millis);
        row(rows, "MiB each", figures.mebibytes(), value -> String.format(Locale.ROOT, "%,.3f", value));
        if (!rows.isEmpty()) {
            List<String> titles = new ArrayList<>(List.of("of each transfer"));
            titles.addAll(StatisticsTable.TITLES);
            blocks.add(Section.Table.ofNumbers(titles, rows));
        }
    }

    private static void row(
            List<List<String>> rows, String name, ValueStatistics values, DoubleFunction<String> value) {
        if (values.count() > 0) {
            List<String> cells = new ArrayList<>(List.of(name));
            cells.addAll(StatisticsTable.cells(values, value));
            rows.add(cells);
        }
    }

    private static void sources(List<Section.Block> blocks, Map<String, TransferFigures.Source> sources) {
        if (sources.isEmpty()) {
            return;
        }
        blocks.add(Section.Table.ofNumbers(
                List.of("source", "done", "data", "failed", "expired", "busy"),
                sources.entrySet().stream()
                        .limit(SOURCES_MAX)
                        .map(each -> List.of(
                                Printable.escape(each.getKey(), 24),
                                Tree.count(each.getValue().successful()),
                                Tree.bytes(each.getValue().bytes()),
                                Tree.count(each.getValue().transportFailures()),
                                Tree.count(each.getValue().kvExpired()),
                                Tree.number(each.getValue().busySeconds(), "%.3f s")))
                        .toList()));
        if (sources.size() > SOURCES_MAX) {
            blocks.add(new Section.Line("and " + (sources.size() - SOURCES_MAX) + " more sources"));
        }
    }

    private static void slowest(List<Section.Block> blocks, List<TransferFigures.Slow> slowest) {
        if (slowest.isEmpty()) {
            return;
        }
        blocks.add(new Section.Table(
                List.of(
                        new Section.Column("slowest transfers", Section.Align.LEFT),
                        new Section.Column("time", Section.Align.RIGHT),
                        new Section.Column("data", Section.Align.RIGHT),
                        new Section.Column("request", Section.Align.LEFT)),
                slowest.stream()
                        .limit(SLOWEST_MAX)
                        .map(each -> List.of(
                                Tree.text(each.sourceId(), 40),
                                StatisticsTable.millis(each.xferMillis()),
                                Tree.bytes(each.bytes()),
                                Tree.text(each.requestId(), 60)))
                        .toList()));
    }
}
