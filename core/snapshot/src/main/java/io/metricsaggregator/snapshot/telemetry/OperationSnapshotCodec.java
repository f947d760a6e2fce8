package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link OperationSnapshot} to and from the tree {@code observations.operation}. Maps by key and by source are views in both directions. */
final class OperationSnapshotCodec {
    private OperationSnapshotCodec() {}

    static Map<String, @Nullable Object> of(OperationSnapshot operation) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("overall", scope(operation.overall()));
        scopes(tree, "by_source", operation.bySource());
        tree.put("n_sources", operation.sources());
        tree.put("n_keys", operation.keys());
        tree.put("keys_evicted", operation.keysEvicted());
        tree.put("records_over_row_limit", operation.recordsOverRowLimit());
        tree.put("rules_applied", operation.rulesApplied());
        scopes(tree, "by_key", operation.byKey());
        ProxyStoreMetrics compat = operation.compat();
        if (compat != null) {
            tree.put("compat", ProxyStoreMetricsCodec.of(compat));
        }
        return tree;
    }

    static OperationSnapshot read(String path, Object tree) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, tree);
        return new OperationSnapshot(
                readScope(fields.map("overall")),
                fields.viewByName("by_source", OperationSnapshotCodec::readScope),
                fields.integer("n_sources"),
                fields.integer("n_keys"),
                fields.integer("keys_evicted"),
                fields.integer("records_over_row_limit"),
                fields.byName("rules_applied", TreeFields::wholeNumber),
                fields.viewByName("by_key", OperationSnapshotCodec::readScope),
                fields.has("compat") ? ProxyStoreMetricsCodec.read(fields.map("compat")) : null);
    }

    private static void scopes(
            Map<String, @Nullable Object> into, String name, @Nullable Map<String, OperationSnapshot.Scope> scopes) {
        if (scopes != null) {
            into.put(name, LazyTree.map(scopes, (key, each) -> scope(each)));
        }
    }

    private static Map<String, @Nullable Object> scope(OperationSnapshot.Scope scope) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("times", LazyTree.map(scope.times(), (name, each) -> times(each)));
        tree.put("counters", scope.counters());
        tree.put("attributes", LazyTree.map(scope.attributes(), (name, each) -> attribute(each)));
        if (scope.namesNotShown() > 0) {
            tree.put("names_not_shown", scope.namesNotShown());
        }
        if (scope.cacheHitRatio() != null) {
            tree.put("cache_hit_ratio", finite(scope.cacheHitRatio()));
        }
        return tree;
    }

    private static OperationSnapshot.Scope readScope(String path, @Nullable Object value)
            throws MalformedMessageException {
        return readScope(TreeFields.of(path, value));
    }

    private static OperationSnapshot.Scope readScope(TreeFields fields) throws MalformedMessageException {
        return new OperationSnapshot.Scope(
                fields.byName("times", OperationSnapshotCodec::readTimes),
                fields.byName("counters", TreeFields::wholeNumber),
                fields.byName("attributes", OperationSnapshotCodec::readAttribute),
                fields.integer("names_not_shown"),
                fields.real("cache_hit_ratio"));
    }

    /** Milliseconds and the exact sum in nanoseconds, in place of the sum in milliseconds. */
    private static Map<String, @Nullable Object> durations(ValueStatistics millis, long sumNanos) {
        Map<String, @Nullable Object> tree = ValueStatisticsCodec.of(millis, "_ms");
        tree.remove("sum_ms");
        tree.put("sum_ns", sumNanos);
        return tree;
    }

    private static Map<String, @Nullable Object> times(OperationSnapshot.Times times) {
        Map<String, @Nullable Object> tree = durations(times.millis(), times.sumNanos());
        tree.put("last_ms", finite(times.lastMillis()));
        tree.put("last_timestamp_ns", times.lastTimestampNanos());
        tree.put("percentile_method", times.percentileMethod());
        tree.put("children", times.children());
        tree.put("self_sum_ns", times.selfSumNanos());
        tree.put("n_failed", times.failures());
        OperationSnapshot.Failed failed = times.failed();
        if (failed != null) {
            tree.put("failed", durations(failed.millis(), failed.sumNanos()));
        }
        return tree;
    }

    private static OperationSnapshot.Times readTimes(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        TreeFields failed = fields.map("failed");
        return new OperationSnapshot.Times(
                ValueStatisticsCodec.read(fields, "_ms"),
                fields.integer("sum_ns"),
                fields.real("last_ms"),
                fields.integerOrNull("last_timestamp_ns"),
                fields.text("percentile_method"),
                fields.texts("children"),
                fields.integer("self_sum_ns"),
                fields.integer("n_failed"),
                fields.has("failed")
                        ? new OperationSnapshot.Failed(
                                ValueStatisticsCodec.read(failed, "_ms"), failed.integer("sum_ns"))
                        : null);
    }

    private static Map<String, @Nullable Object> attribute(OperationSnapshot.Attribute attribute) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        OperationSnapshot.Numbers numbers = attribute.numbers();
        tree.put("n", attribute.records());
        tree.put("last", attribute.last());
        tree.put("numeric", numbers != null);
        if (numbers != null) {
            tree.put("sum", finite(numbers.sum()));
            tree.put("min", finite(numbers.min()));
            tree.put("max", finite(numbers.max()));
        }
        return tree;
    }

    private static OperationSnapshot.Attribute readAttribute(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new OperationSnapshot.Attribute(
                fields.integer("n"),
                fields.has("last") ? TreeFields.scalar(path + ".last", fields.value("last")) : "",
                fields.flag("numeric")
                        ? new OperationSnapshot.Numbers(fields.real("sum"), fields.real("min"), fields.real("max"))
                        : null);
    }
}
