package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ProxyStoreMetrics} to and from the tree {@code observations.operation.compat}. */
final class ProxyStoreMetricsCodec {
    private ProxyStoreMetricsCodec() {}

    static Map<String, @Nullable Object> of(ProxyStoreMetrics metrics) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Map<String, ProxyStoreMetrics.Instance> instances = metrics.perInstance();
        if (instances != null) {
            tree.put("per_instance", LazyTree.map(instances, (name, each) -> instance(each)));
            tree.put("records_of_sources_left_out", metrics.recordsOfSourcesLeftOut());
        }
        tree.put("merged_by_TimeStats_add", times(metrics.merged()));
        return tree;
    }

    static ProxyStoreMetrics read(TreeFields fields) throws MalformedMessageException {
        return new ProxyStoreMetrics(
                fields.viewByName("per_instance", ProxyStoreMetricsCodec::readInstance),
                fields.integer("records_of_sources_left_out"),
                fields.byName("merged_by_TimeStats_add", ProxyStoreMetricsCodec::readTimeStats));
    }

    private static Map<String, @Nullable Object> instance(ProxyStoreMetrics.Instance instance) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("by_key", LazyTree.map(instance.byKey(), (name, each) -> key(each)));
        tree.put("aggregate_times", times(instance.aggregateTimes()));
        tree.put("records_of_keys_left_out", instance.recordsOfKeysLeftOut());
        return tree;
    }

    private static ProxyStoreMetrics.Instance readInstance(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ProxyStoreMetrics.Instance(
                fields.byName("by_key", ProxyStoreMetricsCodec::readKey),
                fields.byName("aggregate_times", ProxyStoreMetricsCodec::readTimeStats),
                fields.integer("records_of_keys_left_out"));
    }

    private static Map<String, @Nullable Object> key(ProxyStoreMetrics.Key key) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("attributes", key.attributes());
        tree.put("counters", key.counters());
        tree.put("times", times(key.times()));
        return tree;
    }

    private static ProxyStoreMetrics.Key readKey(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ProxyStoreMetrics.Key(
                fields.byName("attributes", TreeFields::scalar),
                fields.byName("counters", TreeFields::wholeNumber),
                fields.byName("times", ProxyStoreMetricsCodec::readTimeStats));
    }

    private static Map<String, @Nullable Object> times(Map<String, ProxyStoreMetrics.TimeStats> times) {
        return LazyTree.map(times, (name, each) -> timeStats(each));
    }

    private static Map<String, @Nullable Object> timeStats(ProxyStoreMetrics.TimeStats stats) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", stats.count());
        tree.put("avg_time_ms", finite(stats.averageMillis()));
        tree.put("min_time_ms", finite(stats.minMillis()));
        tree.put("max_time_ms", finite(stats.maxMillis()));
        tree.put("last_time_ms", finite(stats.lastMillis()));
        tree.put("last_timestamp", finite(stats.lastTimestampSeconds()));
        return tree;
    }

    private static ProxyStoreMetrics.TimeStats readTimeStats(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ProxyStoreMetrics.TimeStats(
                fields.integer("count"),
                fields.realOrZero("avg_time_ms"),
                fields.realOrZero("min_time_ms"),
                fields.realOrZero("max_time_ms"),
                fields.realOrZero("last_time_ms"),
                fields.realOrZero("last_timestamp"));
    }
}
