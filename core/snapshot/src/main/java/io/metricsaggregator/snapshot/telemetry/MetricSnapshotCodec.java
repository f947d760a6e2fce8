package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link MetricSnapshot} to and from the tree {@code observations.metric}. The rows of the tree are views. */
final class MetricSnapshotCodec {
    private MetricSnapshotCodec() {}

    static Map<String, @Nullable Object> of(MetricSnapshot metric) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("rows", LazyTree.list(metric.rows(), MetricSnapshotCodec::row));
        tree.put("records_over_limit", metric.recordsOverLimit());
        buckets(tree, "wall", metric.wall());
        buckets(tree, "monotonic", metric.monotonic());
        return tree;
    }

    static MetricSnapshot read(String path, Object tree) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, tree);
        return new MetricSnapshot(
                fields.list("rows", MetricSnapshotCodec::readRow),
                fields.integer("records_over_limit"),
                fields.has("wall") ? TimeBuckets.read(fields.map("wall")) : null,
                fields.has("monotonic") ? TimeBuckets.read(fields.map("monotonic")) : null);
    }

    private static void buckets(Map<String, @Nullable Object> into, String name, @Nullable TimeBuckets buckets) {
        if (buckets != null) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            buckets.put(tree);
            into.put(name, tree);
        }
    }

    private static Map<String, @Nullable Object> row(MetricSnapshot.Row row) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", row.kind().wireName());
        tree.put("name", row.name());
        tree.put("labels", row.labels());
        tree.put("unit", row.unit());
        if (row.figures() instanceof MetricSnapshot.Total total) {
            tree.put("count", total.count());
            tree.put("total", finite(total.total()));
        } else if (row.figures() instanceof MetricSnapshot.Gauge gauge) {
            tree.put("count", gauge.count());
            tree.put("last", finite(gauge.last()));
            tree.put("min", finite(gauge.min()));
            tree.put("max", finite(gauge.max()));
            tree.put("mean", finite(gauge.mean()));
        } else if (row.figures() instanceof MetricSnapshot.Distribution distribution) {
            tree.putAll(ValueStatisticsCodec.of(distribution.values(), ""));
            tree.put("percentile_method", distribution.method());
        }
        MetricSnapshot.Timeline timeline = row.timeline();
        if (timeline != null) {
            tree.put("clock", timeline.clock().wireName());
            List<@Nullable Double> values = timeline.values();
            if (values != null) {
                tree.put("values", LazyTree.list(values, TreeFields::finite));
            }
        }
        return tree;
    }

    private static MetricSnapshot.Row readRow(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        MetricSnapshot.RowKind kind = MetricSnapshot.RowKind.of(fields.text("kind"));
        return new MetricSnapshot.Row(
                kind,
                fields.text("name"),
                fields.byName("labels", TreeFields::text),
                fields.text("unit"),
                readFigures(kind, fields),
                !fields.has("clock")
                        ? null
                        : new MetricSnapshot.Timeline(
                                SampleClock.of(fields.text("clock")),
                                fields.has("values") ? fields.reals("values") : null));
    }

    private static MetricSnapshot.Figures readFigures(MetricSnapshot.RowKind kind, TreeFields fields)
            throws MalformedMessageException {
        return switch (kind) {
            case COUNT -> new MetricSnapshot.Total(fields.integer("count"), fields.real("total"));
            case GAUGE ->
                new MetricSnapshot.Gauge(
                        fields.integer("count"),
                        fields.real("last"),
                        fields.real("min"),
                        fields.real("max"),
                        fields.real("mean"));
            case RECORD ->
                new MetricSnapshot.Distribution(
                        ValueStatisticsCodec.read(fields, ""), fields.text("percentile_method"));
        };
    }
}
