package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.list;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.number;
import static io.metricsaggregator.snapshot.SnapshotCodec.text;

import io.metricsaggregator.codec.BoundedBytes;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/**
 * The positional form on the wire: {@code [counter, timestamp_ns, state, n_pending_tasks, metrics, steady_state, extensions]}.
 * Decoders ignore trailing elements, so this project's extensions are one map at the end, and a series' detail is one map at the end
 * of the series. The sixth element is MLCommons' {@code steady_state}, a map or nil: this project leaves it nil. Snapshots of schema
 * version 1 have the extensions there; both places are read. One owner at a time.
 */
public final class MsgpackSnapshotCodec implements MessageCodec<MetricsSnapshot> {
    private static final int STEADY_STATE = 5;
    private static final int ADDITIONS = 6;

    private final MsgpackTree tree = new MsgpackTree();
    private final BoundedBytes bytes = new BoundedBytes(0);
    private final MessagePacker packer = MessagePack.newDefaultPacker(bytes);
    private final EncodedParts parts = new EncodedParts(packer);

    @Override
    public byte[] encode(MetricsSnapshot snapshot) {
        byte[] whole = encode(snapshot, Integer.MAX_VALUE);
        if (whole == null) {
            throw new IllegalStateException("a snapshot takes more than 2 GiB");
        }
        return whole;
    }

    /**
     * Encodes a snapshot within a limit: takes memory of a few times {@code maxBytes}, however large the snapshot is.
     *
     * @return the bytes; null if they are more than {@code maxBytes}
     */
    public byte @Nullable [] encode(MetricsSnapshot snapshot, int maxBytes) {
        return encode(new byte[0], snapshot, maxBytes);
    }

    /**
     * Encodes a snapshot within a limit. Parts that are equal to those of the snapshot before are copied from its bytes, which this codec keeps: nobody
     * may change them.
     *
     * @param prefix bytes in front of the snapshot
     * @param maxBytes limit of the snapshot without the prefix
     * @return prefix and snapshot; null if the snapshot is larger
     */
    public byte @Nullable [] encode(byte[] prefix, MetricsSnapshot snapshot, int maxBytes) {
        bytes.reset((int) Math.min((long) prefix.length + maxBytes, Integer.MAX_VALUE));
        packer.clear();
        try {
            parts.start();
            packer.writePayload(prefix);
            pack(snapshot);
            parts.packer().flush();
            byte[] whole = bytes.toByteArray();
            parts.end(whole);
            return whole;
        } catch (BoundedBytes.Exceeded e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    /** Number of parts of the last snapshot that were encoded rather than copied: counters, series, and entries of the extensions. */
    public int encodedParts() {
        return parts.encoded();
    }

    private void pack(MetricsSnapshot snapshot) throws IOException {
        SnapshotExtensions extensions = snapshot.extensions();
        packer.packArrayHeader(extensions == null ? STEADY_STATE : ADDITIONS + 1);
        packer.packLong(snapshot.counter());
        packer.packLong(snapshot.timestampNanos());
        packer.packString(snapshot.state().wireName());
        packer.packLong(snapshot.pendingTasks());
        packer.packArrayHeader(snapshot.metrics().size());
        MetricPacker metrics = new MetricPacker(packer);
        for (Metric metric : snapshot.metrics()) {
            if (!parts.copy("", metric)) {
                parts.packer();
                int start = parts.position();
                metric.accept(metrics);
                parts.put("", metric, start);
            }
        }
        parts.packer();
        if (extensions != null) {
            SteadyState steady = extensions.optional().steady();
            SuperPasses.Judgement judgement = steady == null ? null : steady.judgement();
            MsgpackTree.write(judgement == null ? null : judgement.compatLive(), packer);
            pack(ExtensionPart.of(extensions));
        }
    }

    private void pack(List<ExtensionPart> entries) throws IOException {
        parts.packer().packMapHeader(entries.size());
        for (ExtensionPart each : entries) {
            if (!each.inner().isEmpty()) {
                parts.packer().packString(each.key());
                pack(each.inner());
            } else if (!parts.copy(each.key(), each.source())) {
                parts.packer();
                int start = parts.position();
                packer.packString(each.key());
                MsgpackTree.write(each.tree().get(), packer);
                parts.put(each.key(), each.source(), start);
            }
        }
    }

    private record MetricPacker(MessagePacker packer) implements Metric.Visitor<IOException> {
        @Override
        public void counter(CounterMetric counter) throws IOException {
            packer.packArrayHeader(3).packString("counter");
            packer.packString(counter.name()).packLong(counter.value());
        }

        @Override
        public void series(SeriesMetric series) throws IOException {
            packSeries(series, packer);
        }
    }

    private static void packSeries(SeriesMetric series, MessagePacker packer) throws IOException {
        SeriesDetail detail = series.detail();
        packer.packArrayHeader(detail == null ? 10 : 11).packString("series");
        packer.packString(series.name()).packLong(series.count());
        MsgpackTree.write(onWire(series.total()), packer);
        MsgpackTree.write(onWire(series.min()), packer);
        MsgpackTree.write(onWire(series.max()), packer);
        MsgpackTree.write(onWire(series.sumSq()), packer);
        MsgpackTree.write(series.percentiles(), packer);
        packer.packArrayHeader(series.histogram().size());
        for (HistogramBucket bucket : series.histogram()) {
            packer.packArrayHeader(2).packArrayHeader(2);
            packer.packDouble(bucket.low()).packDouble(bucket.high());
            packer.packLong(bucket.count());
        }
        MsgpackTree.write(series.earlyStopping(), packer);
        if (detail != null) {
            MsgpackTree.write(detailTree(detail, series.total()), packer);
        }
    }

    /** msgpack's integers end at 2^64 − 1; a larger total is rounded to a float64, and its detail says so. */
    private static Number onWire(Number number) {
        return fitsMsgpack(number) ? number : (Number) number.doubleValue();
    }

    private static boolean fitsMsgpack(Number number) {
        return !(number instanceof BigInteger big)
                || (big.signum() >= 0 ? big.bitLength() <= 64 : big.bitLength() <= 63);
    }

    private static Map<String, @Nullable Object> detailTree(SeriesDetail detail, Number total) {
        Map<String, @Nullable Object> map = SeriesDetailCodec.of(detail);
        if (!fitsMsgpack(total)) {
            map.put("total_rounded", true);
        }
        return map;
    }

    @Override
    public MetricsSnapshot decode(ByteBuffer from) throws MalformedMessageException {
        try {
            return read(from);
        } catch (IllegalArgumentException e) {
            // The msgpack is well-formed, but a record refused a value, such as a negative count.
            throw new MalformedMessageException("snapshot: " + e.getMessage());
        }
    }

    private MetricsSnapshot read(ByteBuffer from) throws MalformedMessageException {
        List<?> parts = list("snapshot", tree.read(from));
        if (parts.size() < 5) {
            throw new MalformedMessageException("snapshot has " + parts.size() + " elements, not 5 or more");
        }
        List<Metric> metrics = new ArrayList<>();
        for (Object element : list("metrics", parts.get(4))) {
            metrics.add(metric(list("metrics", element)));
        }
        return new MetricsSnapshot(
                integer("counter", parts.get(0)),
                integer("timestamp_ns", parts.get(1)),
                state(parts.get(2)),
                integer("n_pending_tasks", parts.get(3)),
                metrics,
                extensions(parts));
    }

    /** The extensions in the seventh element, or in the sixth (schema version 1): the one that has a run id. */
    private static @Nullable SnapshotExtensions extensions(List<?> parts) throws MalformedMessageException {
        for (int i = Math.min(ADDITIONS, parts.size() - 1); i >= STEADY_STATE; i--) {
            if (parts.get(i) instanceof Map<?, ?> map && map.containsKey("run")) {
                return SnapshotExtensionsCodec.read(map);
            }
        }
        return null;
    }

    static SessionState state(@Nullable Object value) throws MalformedMessageException {
        String name = text("state", value);
        SessionState state = SessionState.ofWireName(name);
        if (state == null) {
            throw new MalformedMessageException("state is unknown");
        }
        return state;
    }

    static Metric metric(List<?> parts) throws MalformedMessageException {
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
                SnapshotCodec.percentiles(name, parts.get(7)),
                SnapshotCodec.buckets(name, parts.get(8)),
                parts.get(9) == null ? null : SnapshotCodec.estimates(name, parts.get(9)),
                parts.size() > 10 && parts.get(10) instanceof Map<?, ?> detail
                        ? SeriesDetailCodec.read(new LinkedHashMap<>(map(name, detail)))
                        : null);
    }
}
