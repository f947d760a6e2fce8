package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.number;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.snapshot.fields.Elements;
import io.metricsaggregator.snapshot.fields.FieldsReader;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads snapshots from their bytes in place: metrics by their places, records by their declarations. Names, and sections whose bytes are those of
 * the snapshot before, are not read again, so one reader for each run is fastest. One owner.
 */
public final class MsgpackSnapshotReader {
    /** Checked keys of percentiles that are kept. */
    private static final int KEYS_MAX = 256;

    private final SnapshotOutline own = new SnapshotOutline();
    private final FieldsReader fields = new FieldsReader();
    private final RememberedSections sections = new RememberedSections(new MsgpackTree(), fields);
    private final Set<String> percentiles = new HashSet<>();

    /**
     * Reads a snapshot.
     *
     * @param from from its position to its limit, which stay
     * @throws MalformedMessageException if it is not a snapshot
     */
    MetricsSnapshot read(ByteBuffer from) throws MalformedMessageException {
        if (from.hasArray() && from.arrayOffset() + from.position() == 0) {
            own.read(from.array(), from.remaining());
        } else {
            byte[] copy = new byte[from.remaining()];
            from.get(from.position(), copy);
            own.read(copy, copy.length);
        }
        return read(own);
    }

    /**
     * Reads a snapshot.
     *
     * @param from its outline; the result has none of its bytes
     * @throws MalformedMessageException if it is not a snapshot
     */
    public MetricsSnapshot read(SnapshotOutline from) throws MalformedMessageException {
        try {
            List<Metric> metrics = new ArrayList<>(from.metrics());
            for (int i = 0; i < from.metrics(); i++) {
                metrics.add(fields.elements(
                        from.bytes(),
                        from.metricAt(i),
                        from.metricAt(i + 1),
                        this::inPlace,
                        MsgpackSnapshotReader::metric));
            }
            return new MetricsSnapshot(
                    from.counter(),
                    from.timestampNanos(),
                    from.state(),
                    from.pendingTasks(),
                    metrics,
                    from.isExtended()
                            ? SnapshotExtensions.pass(sections.of(from), SnapshotExtensions.NONE)
                            : SnapshotExtensions.NONE);
        } catch (IllegalArgumentException e) {
            // The msgpack is well-formed, but a record refused a value, such as a negative count.
            throw new MalformedMessageException("snapshot: " + e.getMessage());
        }
    }

    private Metric inPlace(Elements from) throws MalformedMessageException {
        int parts = from.array();
        String type = from.text();
        if (type.equals("counter") && parts == 3) {
            return new CounterMetric(from.text(), from.integer());
        }
        if (!type.equals("series") || parts < 10 || parts > 11) {
            throw from.refuse();
        }
        String name = from.text();
        long count = from.integer();
        Number total = from.number();
        Number min = from.number();
        Number max = from.number();
        Number sumSq = from.number();
        Map<String, Double> values = percentiles(from);
        List<HistogramBucket> buckets = buckets(from);
        from.nil();
        SeriesDetail detail = parts == 10 ? null : from.record(SeriesDetail::pass, SeriesDetail.BLANK);
        return new SeriesMetric(name, count, total, min, max, sumSq, values, buckets, null, detail);
    }

    /** Percentiles with keys that were checked before; the tree's reader checks the others. */
    private Map<String, Double> percentiles(Elements from) throws MalformedMessageException {
        Map<String, Double> values = from.reals();
        for (String key : values.keySet()) {
            if (!percentiles.contains(key)) {
                MetricTrees.percentile("percentiles", key);
                if (percentiles.size() < KEYS_MAX) {
                    percentiles.add(key);
                }
            }
        }
        return values;
    }

    private static List<HistogramBucket> buckets(Elements from) {
        HistogramBucket[] buckets = new HistogramBucket[Math.min(from.array(), 1 << 16)];
        for (int i = 0; i < buckets.length; i++) {
            int parts = from.array();
            int edges = from.array();
            if (parts != 2 || edges != 2) {
                throw from.refuse();
            }
            buckets[i] = new HistogramBucket(from.real(), from.real(), from.integer());
        }
        return List.of(buckets);
    }

    /** Reads a metric from its tree: whatever {@link #inPlace} takes, this takes for the same. */
    static Metric metric(@Nullable Object tree) throws MalformedMessageException {
        List<?> parts = list("metrics", tree);
        String type = parts.isEmpty() ? "" : text("metric type", parts.get(0));
        if (type.equals("counter") && parts.size() >= 3) {
            return new CounterMetric(text("counter name", parts.get(1)), integer("counter value", parts.get(2)));
        }
        if (!type.equals("series") || parts.size() < 10) {
            throw new MalformedMessageException("a metric is neither a counter nor a series");
        }
        String name = text("series name", parts.get(1));
        return new SeriesMetric(
                name,
                integer(name, parts.get(2)),
                number(name, parts.get(3)),
                number(name, parts.get(4)),
                number(name, parts.get(5)),
                number(name, parts.get(6)),
                MetricTrees.percentiles(name, parts.get(7)),
                MetricTrees.buckets(name, parts.get(8)),
                parts.get(9) == null ? null : MetricTrees.estimates(name, parts.get(9)),
                parts.size() > 10 && parts.get(10) instanceof Map<?, ?> detail
                        ? TreeReader.read(name, detail, SeriesDetail::pass, SeriesDetail.BLANK)
                        : null);
    }
}
