package io.metricsaggregator.report.text;

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

/** KV-cache transfers as text: counts, throughput by several definitions, times, sources and failures. */
final class TransferText {
    private static final int SOURCES_MAX = 8;

    private TransferText() {}

    /** Lines of the run; empty without transfers. */
    static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        TransferSnapshot transfer =
                extensions == null ? null : extensions.telemetry().transfer();
        if (transfer == null) {
            return List.of();
        }
        TransferFigures figures = transfer.cumulative().transfers();
        List<String> lines = new ArrayList<>();
        lines.add(counts(figures));
        TransferFigures.Throughput throughput = figures.throughput();
        lines.add(String.format(
                Locale.ROOT,
                "MiB/s: %s while any was under way, %s over their span, %s by sum of durations (as vLLM logs it), mean of each %s",
                Tree.number(throughput.busy(), "%,.1f"),
                Tree.number(throughput.span(), "%,.1f"),
                Tree.number(throughput.pooled(), "%,.1f"),
                Tree.number(throughput.meanOfRates(), "%,.1f")));
        lines.add(String.format(
                Locale.ROOT,
                "at a time: %s on average while any was under way, %s at most",
                Tree.number(figures.concurrency().meanWhileBusy(), "%.2f"),
                Tree.count(figures.concurrency().peak())));
        statistics(lines, "transfer ms", figures.xferMillis());
        statistics(lines, "post ms", figures.postMillis());
        statistics(lines, "MiB each", figures.mebibytes());
        sources(lines, figures.bySource());
        figures.failureReasons()
                .forEach((reason, count) -> lines.add("failed: " + Tree.text(reason, 60) + " " + Tree.count(count)));
        if (!figures.slowest().isEmpty()) {
            TransferFigures.Slow slow = figures.slowest().get(0);
            lines.add("slowest: " + Tree.number(slow.xferMillis(), "%,.3f") + " ms, " + Tree.bytes(slow.bytes()) + ", "
                    + Tree.text(slow.sourceId(), 40)
                    + (slow.requestId() == null ? "" : ", request " + Tree.text(slow.requestId(), 60)));
        }
        TransferSnapshot.Span last = transfer.lastInterval();
        TransferSnapshot.Logged logged = last == null ? null : last.current();
        if (logged != null && logged.line() != null) {
            lines.add("last interval: " + Printable.escape(logged.line(), 400));
        }
        return lines;
    }

    private static String counts(TransferFigures figures) {
        TransferFigures.Counts counts = figures.counts();
        Double ratio = figures.successRatio();
        return String.format(
                Locale.ROOT,
                "%s done, %s MiB; failed %s, notifications failed %s, handshakes failed %s, KV expired %s; success %s",
                Tree.count(counts.successful()),
                Tree.number(figures.mebibytesTotal(), "%,.1f"),
                Tree.count(counts.failed()),
                Tree.count(counts.notificationsFailed()),
                Tree.count(counts.handshakesFailed()),
                Tree.count(counts.kvExpired()),
                ratio == null ? "-" : Figures.share(ratio));
    }

    private static void statistics(List<String> lines, String name, ValueStatistics values) {
        if (values.count() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-12s mean %s  p50 %s  p90 %s  p99 %s  max %s",
                    name,
                    Tree.number(values.mean(), "%,.3f"),
                    Tree.number(values.percentile("p50"), "%,.3f"),
                    Tree.number(values.percentile("p90"), "%,.3f"),
                    Tree.number(values.percentile("p99"), "%,.3f"),
                    Tree.number(values.max(), "%,.3f")));
        }
    }

    private static void sources(List<String> lines, Map<String, TransferFigures.Source> sources) {
        int shown = 0;
        for (Map.Entry<String, TransferFigures.Source> each : sources.entrySet()) {
            if (shown++ == SOURCES_MAX) {
                lines.add("and " + (sources.size() - SOURCES_MAX) + " more sources");
                return;
            }
            TransferFigures.Source source = each.getValue();
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-24s %s done, %s bytes, %s failed, %s expired, busy %s s",
                    Printable.escape(each.getKey(), 24),
                    Tree.count(source.successful()),
                    Tree.count(source.bytes()),
                    Tree.count(source.transportFailures()),
                    Tree.count(source.kvExpired()),
                    Tree.number(source.busySeconds(), "%.3f")));
        }
    }
}
