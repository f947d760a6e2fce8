package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keyed operations in words: by name, then the keys that took the most time. */
final class OperationText {
    private static final int NAMES_MAX = 16;
    private static final int KEYS_MAX = 5;

    private OperationText() {}

    /** Lines of the run; none if there were no operations. */
    static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> operation = Tree.of(snapshot, "operation");
        Map<?, ?> overall = Tree.map(operation.get("overall"));
        if (overall.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        Map<?, ?> times = Tree.map(overall.get("times"));
        lines.add(String.format(
                Locale.ROOT,
                "%d names, %s keys (%s in the row `other`), %d sources%s",
                times.size(),
                Tree.count(operation.get("n_keys")),
                Tree.count(operation.get("keys_evicted")),
                Tree.map(operation.get("by_source")).size(),
                overall.get("cache_hit_ratio") instanceof Double ratio
                        ? String.format(Locale.ROOT, "; %.1f %% of lookups hit the cache", 100 * ratio)
                        : ""));
        times.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<?, ?> each) ->
                        -Tree.real(Tree.map(each.getValue()).get("sum_ns"))))
                .limit(NAMES_MAX)
                .forEach(each -> lines.add(name(Tree.text(each.getKey(), 28), Tree.map(each.getValue()))));
        if (times.size() > NAMES_MAX) {
            lines.add("and " + (times.size() - NAMES_MAX) + " more names");
        }
        Map<?, ?> counters = Tree.map(overall.get("counters"));
        if (!counters.isEmpty()) {
            List<String> parts = new ArrayList<>();
            counters.forEach((name, value) -> parts.add(Tree.text(name, 40) + " " + Tree.count(value)));
            lines.add("counted: " + String.join(", ", parts.subList(0, Math.min(NAMES_MAX, parts.size()))));
        }
        keys(lines, Tree.map(operation.get("by_key")));
        Map<?, ?> rules = Tree.map(operation.get("rules_applied"));
        rules.forEach((rule, count) ->
                lines.add("the bridge applied " + Tree.text(rule, 64) + " to " + Tree.count(count) + " records"));
        original(lines, Tree.map(Tree.map(operation.get("compat")).get("merged_by_TimeStats_add")));
        return lines;
    }

    private static String name(String name, Map<?, ?> times) {
        return String.format(
                Locale.ROOT,
                "%-28s %s times, ms: mean %s  p50 %s  p90 %s  p99 %s  max %s; self %s s of %s s%s",
                name,
                Tree.count(times.get("count")),
                Tree.number(times.get("mean_ms"), "%,.3f"),
                Tree.number(times.get("p50_ms"), "%,.3f"),
                Tree.number(times.get("p90_ms"), "%,.3f"),
                Tree.number(times.get("p99_ms"), "%,.3f"),
                Tree.number(times.get("max_ms"), "%,.3f"),
                seconds(times.get("self_sum_ns")),
                seconds(times.get("sum_ns")),
                times.get("n_failed") instanceof Long failed && failed > 0 ? "; FAILED " + Tree.count(failed) : "");
    }

    private static String seconds(@Nullable Object nanos) {
        double value = Tree.real(nanos);
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,.4f", value / 1e9);
    }

    private static double total(Map<?, ?> scope) {
        double sum = 0;
        for (Object each : Tree.map(scope.get("times")).values()) {
            double self = Tree.real(Tree.map(each).get("self_sum_ns"));
            sum += Double.isNaN(self) ? 0 : self;
        }
        return sum;
    }

    private static void keys(List<String> lines, Map<?, ?> keys) {
        List<Map.Entry<?, ?>> most = new ArrayList<>(keys.entrySet());
        most.sort(Comparator.comparingDouble(each -> -total(Tree.map(each.getValue()))));
        for (Map.Entry<?, ?> each : most.subList(0, Math.min(KEYS_MAX, most.size()))) {
            Map<?, ?> scope = Tree.map(each.getValue());
            double count = Tree.map(scope.get("times")).values().stream()
                    .mapToDouble(times -> Tree.real(Tree.map(times).get("count")))
                    .sum();
            lines.add(String.format(
                    Locale.ROOT,
                    "  key %-32s %,.0f records of time, %,.4f s",
                    Tree.text(each.getKey(), 32),
                    count,
                    total(scope) / 1e9));
        }
    }

    private static void original(List<String> lines, Map<?, ?> merged) {
        List<String> parts = new ArrayList<>();
        merged.forEach((name, stats) -> {
            if (parts.size() < NAMES_MAX) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s %s × %s ms",
                        Tree.text(name, 40),
                        Tree.count(Tree.map(stats).get("count")),
                        Tree.number(Tree.map(stats).get("avg_time_ms"), "%,.3f")));
            }
        });
        if (!parts.isEmpty()) {
            lines.add("as ProxyStore's TimeStats add up: " + String.join(", ", parts));
        }
    }
}
