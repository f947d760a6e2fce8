package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** KV-cache transfers in words: throughput named for what it is, and failures always. */
final class TransferText {
    private static final int SOURCES_MAX = 8;

    private TransferText() {}

    /** Lines of the run; none if there were no transfers. */
    static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> transfer = Tree.of(snapshot, "transfer");
        Map<?, ?> cumulative = Tree.map(transfer.get("cumulative"));
        Map<?, ?> ours = Tree.map(cumulative.get("ours"));
        if (ours.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s done, %s MiB; failed %s, notifications failed %s, handshakes failed %s, KV expired %s; success %s",
                Tree.count(ours.get("n_ok")),
                Tree.number(ours.get("mib_total"), "%,.1f"),
                Tree.count(ours.get("n_failed")),
                Tree.count(ours.get("n_notify_failed")),
                Tree.count(ours.get("n_handshake_failed")),
                Tree.count(ours.get("n_kv_expired")),
                ours.get("success_ratio") instanceof Double ratio ? GoodputText.share(ratio) : "-"));
        Map<?, ?> throughput = Tree.map(ours.get("throughput_mib_s"));
        Map<?, ?> concurrency = Tree.map(ours.get("concurrency"));
        lines.add(String.format(
                Locale.ROOT,
                "MiB/s: %s while any was under way, %s over their span, %s by sum of durations (as vLLM logs it), mean of each %s",
                Tree.number(throughput.get("busy"), "%,.1f"),
                Tree.number(throughput.get("span"), "%,.1f"),
                Tree.number(throughput.get("per_transfer_pooled"), "%,.1f"),
                Tree.number(throughput.get("mean_of_rates"), "%,.1f")));
        lines.add(String.format(
                Locale.ROOT,
                "at a time: %s on average while any was under way, %s at most",
                Tree.number(concurrency.get("mean_while_busy"), "%.2f"),
                Tree.count(concurrency.get("peak"))));
        statistics(lines, "transfer ms", Tree.map(ours.get("xfer_ms")));
        statistics(lines, "post ms", Tree.map(ours.get("post_ms")));
        statistics(lines, "MiB each", Tree.map(ours.get("mib_per_transfer")));
        sources(lines, Tree.map(ours.get("by_source")));
        Tree.map(ours.get("failure_reasons"))
                .forEach((reason, count) -> lines.add("failed: " + Tree.text(reason, 60) + " " + Tree.count(count)));
        if (!Tree.list(ours.get("slowest")).isEmpty()) {
            Map<?, ?> slow = Tree.map(Tree.list(ours.get("slowest")).get(0));
            lines.add("slowest: " + Tree.number(slow.get("xfer_ms"), "%,.3f") + " ms, "
                    + Tree.bytes(slow.get("bytes")) + ", " + Tree.text(slow.get("source_id"), 40)
                    + (slow.get("request_id") == null ? "" : ", request " + Tree.text(slow.get("request_id"), 60)));
        }
        if (transfer.get("last_interval") instanceof Map<?, ?> last
                && last.get("line_current") instanceof String line) {
            lines.add("last interval: " + Printable.escape(line, 400));
        }
        return lines;
    }

    private static void statistics(List<String> lines, String name, Map<?, ?> values) {
        if (values.get("count") instanceof Long n && n > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-12s mean %s  p50 %s  p90 %s  p99 %s  max %s",
                    name,
                    Tree.number(values.get("mean"), "%,.3f"),
                    Tree.number(values.get("p50"), "%,.3f"),
                    Tree.number(values.get("p90"), "%,.3f"),
                    Tree.number(values.get("p99"), "%,.3f"),
                    Tree.number(values.get("max"), "%,.3f")));
        }
    }

    private static void sources(List<String> lines, Map<?, ?> sources) {
        int shown = 0;
        for (Map.Entry<?, ?> each : sources.entrySet()) {
            if (shown++ == SOURCES_MAX) {
                lines.add("and " + (sources.size() - SOURCES_MAX) + " more sources");
                return;
            }
            Map<?, ?> source = Tree.map(each.getValue());
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-24s %s done, %s bytes, %s failed, %s expired, busy %s s",
                    Printable.escape(String.valueOf(each.getKey()), 24),
                    Tree.count(source.get("n_ok")),
                    Tree.count(source.get("bytes_total")),
                    Tree.count(source.get("n_transport_failures")),
                    Tree.count(source.get("n_kv_expired")),
                    Tree.number(source.get("busy_union_s"), "%.3f")));
        }
    }
}
