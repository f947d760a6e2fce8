package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.list;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.number;
import static io.metricsaggregator.snapshot.SnapshotCodec.text;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The field-named form of a snapshot: strict UTF-8 JSON, as in {@code final_snapshot.json}. Stateless. */
public final class JsonSnapshotCodec implements MessageCodec<MetricsSnapshot> {

    /** Encodes a snapshot as JSON, pretty-printed with two spaces, in UTF-8. */
    @Override
    public byte[] encode(MetricsSnapshot snapshot) {
        return JsonTree.write(document(snapshot));
    }

    /**
     * Writes the same bytes as {@link #encode} to a stream, without holding them: parts of the snapshot that are views (see
     * {@link io.metricsaggregator.codec.LazyTree}) are computed as they are written. Leaves the stream open.
     *
     * @throws java.io.UncheckedIOException if the stream fails
     */
    public void write(MetricsSnapshot snapshot, OutputStream to) {
        JsonTree.write(document(snapshot), to);
    }

    /** Encodes a snapshot as JSON on one line, without a newline, in UTF-8. */
    public byte[] encodeLine(MetricsSnapshot snapshot) {
        return JsonTree.writeLine(document(snapshot));
    }

    private static Map<String, @Nullable Object> document(MetricsSnapshot snapshot) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("counter", snapshot.counter());
        document.put("timestamp_ns", snapshot.timestampNanos());
        document.put("state", snapshot.state().wireName());
        document.put("n_pending_tasks", snapshot.pendingTasks());
        List<@Nullable Object> metrics = new ArrayList<>();
        for (Metric metric : snapshot.metrics()) {
            metrics.add(metricTree(metric));
        }
        document.put("metrics", metrics);
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions != null) {
            document.putAll(SnapshotExtensionsCodec.of(extensions));
        }
        return document;
    }

    private static Map<String, @Nullable Object> metricTree(Metric metric) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        metric.accept(new MetricFields(tree));
        return tree;
    }

    private record MetricFields(Map<String, @Nullable Object> tree) implements Metric.Visitor<RuntimeException> {
        @Override
        public void counter(CounterMetric counter) {
            tree.put("type", "counter");
            tree.put("name", counter.name());
            tree.put("value", counter.value());
        }

        @Override
        public void series(SeriesMetric series) {
            tree.put("type", "series");
            tree.put("name", series.name());
            tree.put("count", series.count());
            tree.put("total", series.total());
            tree.put("min", series.min());
            tree.put("max", series.max());
            tree.put("sum_sq", series.sumSq());
            tree.put("percentiles", series.percentiles());
            if (series.earlyStopping() != null) {
                tree.put("early_stopping_percentiles", series.earlyStopping());
            }
            tree.put("histogram", SnapshotCodec.bucketTree(series.histogram()));
            SeriesDetail detail = series.detail();
            if (detail != null) {
                tree.putAll(SeriesDetailCodec.of(detail));
            }
        }
    }

    @Override
    public MetricsSnapshot decode(ByteBuffer bytes) throws MalformedMessageException {
        try {
            return read(bytes);
        } catch (IllegalArgumentException e) {
            // The JSON is well-formed, but a record refused a value, such as a negative count.
            throw new MalformedMessageException("snapshot: " + e.getMessage());
        }
    }

    private static MetricsSnapshot read(ByteBuffer bytes) throws MalformedMessageException {
        Map<String, @Nullable Object> document = tree(bytes);
        List<Metric> metrics = new ArrayList<>();
        for (Object element : list("metrics", document.get("metrics"))) {
            metrics.add(metric(map("metrics", element)));
        }
        return new MetricsSnapshot(
                integer("counter", document.get("counter")),
                integer("timestamp_ns", document.get("timestamp_ns")),
                MsgpackSnapshotCodec.state(document.get("state")),
                integer("n_pending_tasks", document.get("n_pending_tasks")),
                metrics,
                document.containsKey("run") ? SnapshotExtensionsCodec.read(document) : null);
    }

    private static Map<String, @Nullable Object> tree(ByteBuffer bytes) throws MalformedMessageException {
        if (bytes.hasArray()) {
            return JsonTree.read(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return JsonTree.read(copy);
    }

    /** A number; NaN for null. */
    private static Number known(String series, Map<?, ?> tree, String field) throws MalformedMessageException {
        Object value = tree.get(field);
        return value == null && tree.containsKey(field) ? (Number) Double.NaN : number(series, value);
    }

    private static Metric metric(Map<?, ?> tree) throws MalformedMessageException {
        String type = text("metric type", tree.get("type"));
        String name = text("metric name", tree.get("name"));
        if (type.equals("counter")) {
            return new CounterMetric(name, integer(name, tree.get("value")));
        }
        if (!type.equals("series")) {
            throw new MalformedMessageException("a metric is neither a counter nor a series");
        }
        Object estimates = tree.get("early_stopping_percentiles");
        return new SeriesMetric(
                name,
                integer(name, tree.get("count")),
                known(name, tree, "total"),
                known(name, tree, "min"),
                known(name, tree, "max"),
                known(name, tree, "sum_sq"),
                SnapshotCodec.percentiles(name, tree.get("percentiles")),
                SnapshotCodec.buckets(name, tree.get("histogram")),
                estimates == null ? null : SnapshotCodec.estimates(name, estimates),
                tree.containsKey("exact") ? SeriesDetailCodec.read(tree) : null);
    }
}
