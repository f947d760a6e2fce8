package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link LabelBreakdown} to and from maps by key and value. The maps also hold the skew, which reading ignores. */
final class LabelBreakdownCodec {
    private LabelBreakdownCodec() {}

    static Map<String, @Nullable Object> of(LabelBreakdown labels) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (LabelBreakdown.Key key : labels.keys()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            key.values().forEach(each -> values.put(each.value(), of(each)));
            Map<String, @Nullable Object> skew = new LinkedHashMap<>();
            skew.put("max_over_mean", key.maxOverMean());
            skew.put("gini", key.gini());
            skew.put("output_gini", key.outputGini());
            skew.put("latency_p50_spread", key.latencySpread());
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("values", values);
            each.put("skew", skew);
            tree.put(key.name(), each);
        }
        return tree;
    }

    private static Map<String, @Nullable Object> of(LabelBreakdown.Value value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("issued", value.issued());
        tree.put("completed", value.completed());
        tree.put("failed", value.failed());
        tree.put("in_flight", value.inFlight());
        tree.put("isl_tokens", value.inputTokens());
        tree.put("osl_tokens", value.outputTokens());
        tree.put("latency_ns", of(value.latency()));
        tree.put("ttft_ns", of(value.firstToken()));
        if (value.timePerToken() != null) {
            tree.put("tpot_ns", of(value.timePerToken()));
        }
        if (value.good() != null) {
            tree.put("good", value.good());
        }
        Progress.Target progress = value.progress();
        if (progress != null) {
            ProgressCodec.put(tree, progress);
        }
        return tree;
    }

    static @Nullable Map<String, @Nullable Object> of(LabelBreakdown.@Nullable Durations durations) {
        if (durations == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", durations.count());
        tree.put("p50", durations.p50Nanos());
        tree.put("p90", durations.p90Nanos());
        tree.put("p99", durations.p99Nanos());
        tree.put("max", durations.maxNanos());
        return tree;
    }

    static LabelBreakdown read(Map<?, ?> tree) throws MalformedMessageException {
        List<LabelBreakdown.Key> keys = new ArrayList<>();
        for (Map.Entry<?, ?> entry : tree.entrySet()) {
            List<LabelBreakdown.Value> values = new ArrayList<>();
            Map<?, ?> of =
                    map("by_label.values", map("by_label", entry.getValue()).get("values"));
            for (Map.Entry<?, ?> each : of.entrySet()) {
                values.add(readValue(text("by_label", each.getKey()), map("by_label", each.getValue())));
            }
            keys.add(new LabelBreakdown.Key(text("by_label", entry.getKey()), values));
        }
        return new LabelBreakdown(keys);
    }

    private static LabelBreakdown.Value readValue(String value, Map<?, ?> tree) throws MalformedMessageException {
        return new LabelBreakdown.Value(
                value,
                integer("by_label.issued", tree.get("issued")),
                integer("by_label.completed", tree.get("completed")),
                integer("by_label.failed", tree.get("failed")),
                integer("by_label.in_flight", tree.get("in_flight")),
                integer("by_label.isl_tokens", tree.get("isl_tokens")),
                integer("by_label.osl_tokens", tree.get("osl_tokens")),
                durations(tree.get("latency_ns")),
                durations(tree.get("ttft_ns")),
                durations(tree.get("tpot_ns")),
                tree.get("good") == null ? null : (Long) integer("by_label.good", tree.get("good")),
                ProgressCodec.target(tree));
    }

    static LabelBreakdown.@Nullable Durations durations(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        Map<?, ?> tree = map("by_label", value);
        return new LabelBreakdown.Durations(
                integer("by_label.count", tree.get("count")),
                integer("by_label.p50", tree.get("p50")),
                integer("by_label.p90", tree.get("p90")),
                integer("by_label.p99", tree.get("p99")),
                integer("by_label.max", tree.get("max")));
    }
}
