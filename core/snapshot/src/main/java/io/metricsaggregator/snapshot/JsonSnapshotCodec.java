package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.number;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.JsonWriter;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The field-named form of a snapshot: strict UTF-8 JSON, as in {@code final_snapshot.json}. Stateless. */
public final class JsonSnapshotCodec implements MessageCodec<MetricsSnapshot> {
    private static final Metric BLANK = new CounterMetric("", 0);

    /** Encodes a snapshot as JSON, pretty-printed with two spaces, in UTF-8. */
    @Override
    public byte[] encode(MetricsSnapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        write(snapshot, bytes);
        return bytes.toByteArray();
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

    private static JsonTree.Document document(MetricsSnapshot snapshot) {
        return to -> new JsonWriter(to).record(snapshot, JsonSnapshotCodec::pass);
    }

    private static MetricsSnapshot pass(Fields f, MetricsSnapshot v) throws MalformedMessageException {
        f.count("counter", v.counter());
        f.count("timestamp_ns", v.timestampNanos());
        f.text("state", v.state().wireName());
        f.count("n_pending_tasks", v.pendingTasks());
        f.list("metrics", v.metrics(), JsonSnapshotCodec::metric, BLANK);
        if (!v.extensions().isNone()) {
            ExtensionPart.pass(f, ExtensionPart.of(v.extensions()));
        }
        return v;
    }

    private static Metric metric(Fields fields, Metric metric) throws MalformedMessageException {
        metric.accept(new MetricFields(fields));
        return metric;
    }

    private record MetricFields(Fields f) implements Metric.Visitor<MalformedMessageException> {
        @Override
        public void counter(CounterMetric counter) throws MalformedMessageException {
            f.text("type", "counter");
            f.text("name", counter.name());
            f.count("value", counter.value());
        }

        @Override
        public void series(SeriesMetric series) throws MalformedMessageException {
            f.text("type", "series");
            f.text("name", series.name());
            f.count("count", series.count());
            f.derived("total", series.total());
            f.derived("min", series.min());
            f.derived("max", series.max());
            f.derived("sum_sq", series.sumSq());
            f.derived("percentiles", series.percentiles());
            if (series.earlyStopping() != null) {
                f.derived("early_stopping_percentiles", series.earlyStopping());
            }
            f.derived("histogram", MetricTrees.bucketTree(series.histogram()));
            SeriesDetail detail = series.detail();
            if (detail != null) {
                SeriesDetail.pass(f, detail);
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
                document.containsKey("run")
                        ? SnapshotExtensions.pass(new TreeSections(document), SnapshotExtensions.NONE)
                        : SnapshotExtensions.NONE);
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
                MetricTrees.percentiles(name, tree.get("percentiles")),
                MetricTrees.buckets(name, tree.get("histogram")),
                estimates == null ? null : MetricTrees.estimates(name, estimates),
                tree.containsKey("exact") ? TreeReader.read(name, tree, SeriesDetail::pass, SeriesDetail.BLANK) : null);
    }
}
