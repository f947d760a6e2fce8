package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import io.metricsaggregator.codec.MsgpackOutput;
import io.metricsaggregator.snapshot.fields.FieldsWriter;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positional form on the wire: {@code [counter, timestamp_ns, state, n_pending_tasks, metrics, steady_state, extensions]}.
 * Decoders ignore trailing elements, so this project's extensions are one map at the end, and a series' detail is one map at the end
 * of the series. The sixth element is MLCommons' {@code steady_state}, a map or nil: this project leaves it nil. Snapshots of schema
 * version 1 have the extensions there; both places are read. One owner at a time.
 */
public final class MsgpackSnapshotCodec implements MessageCodec<MetricsSnapshot> {
    private static final int STEADY_STATE = 5;
    private static final int ADDITIONS = 6;

    private final MsgpackSnapshotReader reader = new MsgpackSnapshotReader();
    private final MsgpackOutput out = new MsgpackOutput();
    private final FieldsWriter fields = new FieldsWriter(out);
    private final SectionCache parts = new SectionCache(out);
    private final MetricPacker metrics = new MetricPacker(out, fields);

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
     * Encodes a snapshot within a limit. Parts that are the same objects as in the snapshot before are copied from its bytes, which this codec keeps: nobody
     * may change them.
     *
     * @param prefix bytes in front of the snapshot
     * @param maxBytes limit of the snapshot without the prefix
     * @return prefix and snapshot; null if the snapshot is larger
     */
    public byte @Nullable [] encode(byte[] prefix, MetricsSnapshot snapshot, int maxBytes) {
        out.reset((int) Math.min((long) prefix.length + maxBytes, Integer.MAX_VALUE));
        try {
            parts.start();
            out.raw(prefix, 0, prefix.length);
            pack(snapshot);
            parts.flush();
            byte[] whole = out.toByteArray();
            parts.end(whole);
            return whole;
        } catch (MsgpackOutput.Full e) {
            return null;
        }
    }

    /** Number of parts of the last snapshot that were encoded rather than copied: counters, series, and entries of the extensions. */
    public int encodedParts() {
        return parts.encoded();
    }

    private void pack(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        out.arrayHeader(extensions.isNone() ? STEADY_STATE : ADDITIONS + 1);
        out.integer(snapshot.counter());
        out.integer(snapshot.timestampNanos());
        out.text(snapshot.state().wireName());
        out.integer(snapshot.pendingTasks());
        out.arrayHeader(snapshot.metrics().size());
        for (Metric metric : snapshot.metrics()) {
            if (!parts.copy("", metric)) {
                int start = parts.flush();
                metric.accept(metrics);
                parts.put("", metric, start);
            }
        }
        parts.flush();
        if (!extensions.isNone()) {
            SteadyState steady = extensions.optional().steady();
            SuperPasses.Judgement judgement = steady == null ? null : steady.judgement();
            out.tree(judgement == null ? null : judgement.compatLive());
            pack(ExtensionPart.of(extensions));
        }
    }

    private void pack(List<ExtensionPart> entries) {
        parts.flush();
        out.mapHeader(entries.size());
        for (ExtensionPart each : entries) {
            if (!parts.copy(each.key(), each.source())) {
                int start = parts.flush();
                fields.body(each.body());
                parts.put(each.key(), each.source(), start);
            }
        }
    }

    private record MetricPacker(MsgpackOutput out, FieldsWriter fields) implements Metric.Visitor<RuntimeException> {
        @Override
        public void counter(CounterMetric counter) {
            out.arrayHeader(3);
            out.ascii("counter");
            out.text(counter.name());
            out.integer(counter.value());
        }

        @Override
        public void series(SeriesMetric series) {
            SeriesDetail detail = series.detail();
            out.arrayHeader(detail == null ? 10 : 11);
            out.ascii("series");
            out.text(series.name());
            out.integer(series.count());
            out.tree(onWire(series.total()));
            out.tree(onWire(series.min()));
            out.tree(onWire(series.max()));
            out.tree(onWire(series.sumSq()));
            out.tree(series.percentiles());
            out.arrayHeader(series.histogram().size());
            for (HistogramBucket bucket : series.histogram()) {
                out.arrayHeader(2);
                out.arrayHeader(2);
                out.real(bucket.low());
                out.real(bucket.high());
                out.integer(bucket.count());
            }
            out.tree(series.earlyStopping());
            if (detail != null) {
                fields.record(detail, fitsMsgpack(series.total()) ? SeriesDetail::pass : SeriesDetail::passRounded);
            }
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

    @Override
    public MetricsSnapshot decode(ByteBuffer from) throws MalformedMessageException {
        return reader.read(from);
    }

    static SessionState state(@Nullable Object value) throws MalformedMessageException {
        String name = text("state", value);
        SessionState state = SessionState.ofWireName(name);
        if (state == null) {
            throw new MalformedMessageException("state is unknown");
        }
        return state;
    }
}
