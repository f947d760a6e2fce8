package io.metricsaggregator.report.section;

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

/** Keyed operations: a table of names, counters, and the keys with the most time. */
final class OperationBlocks {
    private static final int NAMES_MAX = 16;
    private static final int KEYS_MAX = 5;
    private static final double MILLIS_PER_NANO = 1e-6;

    private OperationBlocks() {}

    /** The blocks of the run; empty without operations. */
    static List<Section.Block> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        OperationSnapshot operation = extensions.telemetry().operation();
        if (operation == null || operation.overall().isEmpty()) {
            return List.of();
        }
        OperationSnapshot.Scope overall = operation.overall();
        List<Section.Block> blocks = new ArrayList<>();
        blocks.add(summary(operation));
        names(blocks, overall);
        if (!overall.counters().isEmpty()) {
            blocks.add(Section.Table.ofNumbers(
                    List.of("counter", "count"),
                    overall.counters().entrySet().stream()
                            .limit(NAMES_MAX)
                            .map(each -> List.of(Tree.text(each.getKey(), 40), Tree.count(each.getValue())))
                            .toList()));
        }
        Map<String, OperationSnapshot.Scope> byKey = operation.byKey();
        keys(blocks, byKey == null ? Map.of() : byKey);
        operation
                .rulesApplied()
                .forEach((rule, count) -> blocks.add(new Section.Line(
                        "the bridge applied " + Tree.text(rule, 64) + " to " + Tree.count(count) + " records")));
        ProxyStoreMetrics compat = operation.compat();
        original(blocks, compat == null ? Map.of() : compat.merged());
        return blocks;
    }

    private static Section.Line summary(OperationSnapshot operation) {
        OperationSnapshot.Scope overall = operation.overall();
        Map<String, OperationSnapshot.Scope> bySource = operation.bySource();
        Double ratio = overall.cacheHitRatio();
        return new Section.Line(String.format(
                Locale.ROOT,
                "%d names, %s keys (%s in the row `other`), %d sources%s",
                overall.times().size(),
                Tree.count(operation.keys()),
                Tree.count(operation.keysEvicted()),
                bySource == null ? 0 : bySource.size(),
                ratio == null ? "" : String.format(Locale.ROOT, "; %.1f %% of lookups hit the cache", 100 * ratio)));
    }

    private static void names(List<Section.Block> blocks, OperationSnapshot.Scope overall) {
        if (overall.times().isEmpty()) {
            return;
        }
        List<String> titles = new ArrayList<>(List.of("operation"));
        titles.addAll(StatisticsTable.TITLES);
        titles.addAll(List.of("total", "self", "failed"));
        blocks.add(Section.Table.ofNumbers(
                titles,
                overall.times().entrySet().stream()
                        .sorted(Comparator.comparingLong((Map.Entry<String, OperationSnapshot.Times> each) ->
                                        each.getValue().sumNanos())
                                .reversed())
                        .limit(NAMES_MAX)
                        .map(each -> name(Tree.text(each.getKey(), 28), each.getValue()))
                        .toList()));
        if (overall.times().size() > NAMES_MAX) {
            blocks.add(new Section.Line("and " + (overall.times().size() - NAMES_MAX) + " more names"));
        }
    }

    private static List<String> name(String name, OperationSnapshot.Times times) {
        List<String> cells = new ArrayList<>(List.of(name));
        cells.addAll(StatisticsTable.cells(times.millis(), StatisticsTable::millis));
        cells.add(seconds(times.sumNanos()));
        cells.add(seconds(times.selfSumNanos()));
        cells.add(Tree.count(times.failures()));
        return cells;
    }

    private static String seconds(long nanos) {
        return StatisticsTable.millis(nanos * MILLIS_PER_NANO);
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
    private static void keys(List<Section.Block> blocks, Map<String, OperationSnapshot.Scope> keys) {
        List<List<String>> rows = keys.entrySet().stream()
                .map(each -> KeyTotal.of(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingDouble(each -> -each.nanos()))
                .limit(KEYS_MAX)
                .map(each -> List.of(
                        Tree.text(each.key(), 32),
                        String.format(Locale.ROOT, "%,.0f", each.count()),
                        StatisticsTable.millis(each.nanos() * MILLIS_PER_NANO)))
                .toList();
        if (!rows.isEmpty()) {
            blocks.add(Section.Table.ofNumbers(List.of("key with the most time", "records", "time"), rows));
        }
    }

    private static void original(List<Section.Block> blocks, Map<String, ProxyStoreMetrics.TimeStats> merged) {
        if (!merged.isEmpty()) {
            blocks.add(Section.Table.ofNumbers(
                    List.of("as ProxyStore's TimeStats add up", "count", "average ms"),
                    merged.entrySet().stream()
                            .limit(NAMES_MAX)
                            .map(each -> List.of(
                                    Tree.text(each.getKey(), 40),
                                    Tree.count(each.getValue().count()),
                                    Tree.number(each.getValue().averageMillis(), "%,.3f")))
                            .toList()));
        }
    }
}
