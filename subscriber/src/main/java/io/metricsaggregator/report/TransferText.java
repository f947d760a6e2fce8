package io.metricsaggregator.report;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** KV-cache transfers in words: throughput named for what it is, and failures always. */
public final class TransferText {
    private static final int SOURCES_MAX = 8;

    private TransferText() {}

    /** Lines of the run; none if there were no transfers. */
    public static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> transfer = snapshot.additions() == null
                ? Map.of()
                : map(snapshot.additions().observations().get("transfer"));
        Map<?, ?> cumulative = map(transfer.get("cumulative"));
        Map<?, ?> ours = map(cumulative.get("ours"));
        if (ours.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s done, %s MiB; failed %s, notifications failed %s, handshakes failed %s, KV expired %s; success %s",
                count(ours.get("n_ok")),
                number(ours.get("mib_total"), "%,.1f"),
                count(ours.get("n_failed")),
                count(ours.get("n_notify_failed")),
                count(ours.get("n_handshake_failed")),
                count(ours.get("n_kv_expired")),
                ours.get("success_ratio") instanceof Double ratio ? GoodputText.share(ratio) : "-"));
        Map<?, ?> throughput = map(ours.get("throughput_mib_s"));
        Map<?, ?> concurrency = map(ours.get("concurrency"));
        lines.add(String.format(
                Locale.ROOT,
                "MiB/s: %s while any was under way, %s over their span, %s by sum of durations (as vLLM logs it), mean of each %s",
                number(throughput.get("busy"), "%,.1f"),
                number(throughput.get("span"), "%,.1f"),
                number(throughput.get("per_transfer_pooled"), "%,.1f"),
                number(throughput.get("mean_of_rates"), "%,.1f")));
        lines.add(String.format(
                Locale.ROOT,
                "at a time: %s on average while any was under way, %s at most",
                number(concurrency.get("mean_while_busy"), "%.2f"),
                count(concurrency.get("peak"))));
        statistics(lines, "transfer ms", map(ours.get("xfer_ms")));
        statistics(lines, "post ms", map(ours.get("post_ms")));
        statistics(lines, "MiB each", map(ours.get("mib_per_transfer")));
        sources(lines, map(ours.get("by_source")));
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
                    number(values.get("mean"), "%,.3f"),
                    number(values.get("p50"), "%,.3f"),
                    number(values.get("p90"), "%,.3f"),
                    number(values.get("p99"), "%,.3f"),
                    number(values.get("max"), "%,.3f")));
        }
    }

    private static void sources(List<String> lines, Map<?, ?> sources) {
        int shown = 0;
        for (Map.Entry<?, ?> each : sources.entrySet()) {
            if (shown++ == SOURCES_MAX) {
                lines.add("and " + (sources.size() - SOURCES_MAX) + " more sources");
                return;
            }
            Map<?, ?> source = map(each.getValue());
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-24s %s done, %s bytes, %s failed, %s expired, busy %s s",
                    Printable.escape(String.valueOf(each.getKey()), 24),
                    count(source.get("n_ok")),
                    count(source.get("bytes_total")),
                    count(source.get("n_transport_failures")),
                    count(source.get("n_kv_expired")),
                    number(source.get("busy_union_s"), "%.3f")));
        }
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String count(@Nullable Object value) {
        return value instanceof Long number ? String.format(Locale.ROOT, "%,d", number) : "-";
    }

    private static String number(@Nullable Object value, String format) {
        return value instanceof Number number ? String.format(Locale.ROOT, format, number.doubleValue()) : "-";
    }
}
