package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ProxyStoreMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Keyed operations as text: one line per name, then the keys with the most time. */
final class OperationText {
    private static final int NAMES_MAX = 16;
    private static final int KEYS_MAX = 5;

    private OperationText() {}

    /** Lines of the run; empty without operations. */
    static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        OperationSnapshot operation =
                extensions == null ? null : extensions.telemetry().operation();
        if (operation == null || operation.overall().isEmpty()) {
            return List.of();
        }
        OperationSnapshot.Scope overall = operation.overall();
        List<String> lines = new ArrayList<>();
        lines.add(summary(operation));
        overall.times().entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, OperationSnapshot.Times> each) ->
                        -(double) each.getValue().sumNanos()))
                .limit(NAMES_MAX)
                .forEach(each -> lines.add(name(Tree.text(each.getKey(), 28), each.getValue())));
        if (overall.times().size() > NAMES_MAX) {
            lines.add("and " + (overall.times().size() - NAMES_MAX) + " more names");
        }
        if (!overall.counters().isEmpty()) {
            List<String> parts = new ArrayList<>();
            overall.counters().forEach((name, value) -> parts.add(Tree.text(name, 40) + " " + Tree.count(value)));
            lines.add("counted: " + String.join(", ", parts.subList(0, Math.min(NAMES_MAX, parts.size()))));
        }
        Map<String, OperationSnapshot.Scope> byKey = operation.byKey();
        keys(lines, byKey == null ? Map.of() : byKey);
        operation
                .rulesApplied()
                .forEach((rule, count) -> lines.add(
                        "the bridge applied " + Tree.text(rule, 64) + " to " + Tree.count(count) + " records"));
        ProxyStoreMetrics compat = operation.compat();
        original(lines, compat == null ? Map.of() : compat.merged());
        return lines;
    }

    private static String summary(OperationSnapshot operation) {
        OperationSnapshot.Scope overall = operation.overall();
        Map<String, OperationSnapshot.Scope> bySource = operation.bySource();
        Double ratio = overall.cacheHitRatio();
        return String.format(
                Locale.ROOT,
                "%d names, %s keys (%s in the row `other`), %d sources%s",
                overall.times().size(),
                Tree.count(operation.keys()),
                Tree.count(operation.keysEvicted()),
                bySource == null ? 0 : bySource.size(),
                ratio == null ? "" : String.format(Locale.ROOT, "; %.1f %% of lookups hit the cache", 100 * ratio));
    }

    private static String name(String name, OperationSnapshot.Times times) {
        return String.format(
                Locale.ROOT,
                "%-28s %s times, ms: mean %s  p50 %s  p90 %s  p99 %s  max %s; self %s s of %s s%s",
                name,
                Tree.count(times.millis().count()),
                Tree.number(times.millis().mean(), "%,.3f"),
                Tree.number(times.millis().percentile("p50"), "%,.3f"),
                Tree.number(times.millis().percentile("p90"), "%,.3f"),
                Tree.number(times.millis().percentile("p99"), "%,.3f"),
                Tree.number(times.millis().max(), "%,.3f"),
                seconds(times.selfSumNanos()),
                seconds(times.sumNanos()),
                times.failures() > 0 ? "; FAILED " + Tree.count(times.failures()) : "");
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%,.4f", nanos / 1e9);
    }

    /** A key's part in the time of the run. */
    private record KeyTotal(String key, double nanos, double count) {
        static KeyTotal of(String key, OperationSnapshot.Scope scope) {
            double nanos = 0;
            double count = 0;
            for (OperationSnapshot.Times each : scope.times().values()) {
                nanos += each.selfSumNanos();
                count += each.millis().count();
            }
            return new KeyTotal(key, nanos, count);
        }
    }

    /** Reads each key once: there can be a million, and each is computed when it is read. */
    private static void keys(List<String> lines, Map<String, OperationSnapshot.Scope> keys) {
        keys.entrySet().stream()
                .map(each -> KeyTotal.of(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingDouble(each -> -each.nanos()))
                .limit(KEYS_MAX)
                .forEach(each -> lines.add(String.format(
                        Locale.ROOT,
                        "  key %-32s %,.0f records of time, %,.4f s",
                        Tree.text(each.key(), 32),
                        each.count(),
                        each.nanos() / 1e9)));
    }

    private static void original(List<String> lines, Map<String, ProxyStoreMetrics.TimeStats> merged) {
        List<String> parts = new ArrayList<>();
        merged.forEach((name, stats) -> {
            if (parts.size() < NAMES_MAX) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s %s × %s ms",
                        Tree.text(name, 40),
                        Tree.count(stats.count()),
                        Tree.number(stats.averageMillis(), "%,.3f")));
            }
        });
        if (!parts.isEmpty()) {
            lines.add("as ProxyStore's TimeStats add up: " + String.join(", ", parts));
        }
    }
}
