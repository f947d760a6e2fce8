package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link TransferFigures} to and from the trees {@code observations.transfer.cumulative.ours} and {@code …last_interval.ours}. */
final class TransferFiguresCodec {
    private TransferFiguresCodec() {}

    static Map<String, @Nullable Object> of(TransferFigures transfers) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        TransferFigures.Counts counts = transfers.counts();
        tree.put("n_ok", counts.successful());
        tree.put("n_failed", counts.failed());
        tree.put("n_notify_failed", counts.notificationsFailed());
        tree.put("n_handshake_failed", counts.handshakesFailed());
        TreeFields.putIfAny(tree, "n_receive_failed", counts.receivesFailed());
        tree.put("n_transport_failures", counts.transportFailures());
        tree.put("n_kv_expired", counts.kvExpired());
        TreeFields.putIfAny(tree, "n_notified_after_expiry", counts.notifiedAfterExpiry());
        tree.put("n_untimed", counts.untimed());
        tree.put("success_ratio", finite(transfers.successRatio()));
        tree.put("bytes_total", transfers.bytes());
        tree.put("mib_total", transfers.mebibytesTotal());
        tree.put("percentile_method", transfers.percentileMethod());
        tree.put("spans_late", transfers.spansLate());
        tree.put("xfer_ms", ValueStatisticsCodec.of(transfers.xferMillis(), ""));
        tree.put("post_ms", ValueStatisticsCodec.of(transfers.postMillis(), ""));
        tree.put("mib_per_transfer", ValueStatisticsCodec.of(transfers.mebibytes(), ""));
        tree.put("descriptors", ValueStatisticsCodec.of(transfers.descriptors(), ""));
        tree.put("time_s", times(transfers.times()));
        tree.put("throughput_mib_s", throughput(transfers.throughput()));
        tree.put("concurrency", concurrency(transfers.concurrency()));
        tree.put("by_source", LazyTree.map(transfers.bySource(), (name, source) -> source(source)));
        tree.put("failure_reasons", transfers.failureReasons());
        tree.put("unknown_lists", transfers.unknownLists());
        tree.put("slowest", LazyTree.list(transfers.slowest(), TransferFiguresCodec::slow));
        return tree;
    }

    static TransferFigures read(TreeFields fields) throws MalformedMessageException {
        return new TransferFigures(
                new TransferFigures.Counts(
                        fields.integer("n_ok"),
                        fields.integer("n_failed"),
                        fields.integer("n_notify_failed"),
                        fields.integer("n_handshake_failed"),
                        fields.integerOrZero("n_receive_failed"),
                        fields.integer("n_transport_failures"),
                        fields.integer("n_kv_expired"),
                        fields.integerOrZero("n_notified_after_expiry"),
                        fields.integer("n_untimed")),
                fields.real("success_ratio"),
                fields.integer("bytes_total"),
                fields.text("percentile_method"),
                fields.integer("spans_late"),
                ValueStatisticsCodec.read(fields.map("xfer_ms"), ""),
                ValueStatisticsCodec.read(fields.map("post_ms"), ""),
                ValueStatisticsCodec.read(fields.map("mib_per_transfer"), ""),
                ValueStatisticsCodec.read(fields.map("descriptors"), ""),
                readTimes(fields.map("time_s")),
                readThroughput(fields.map("throughput_mib_s")),
                readConcurrency(fields.map("concurrency")),
                fields.byName("by_source", TransferFiguresCodec::readSource),
                fields.byName("failure_reasons", TreeFields::wholeNumber),
                fields.byName("unknown_lists", TreeFields::wholeNumber),
                fields.list("slowest", TransferFiguresCodec::readSlow));
    }

    private static Map<String, @Nullable Object> times(TransferFigures.Times times) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("sum_of_durations", finite(times.sumOfDurations()));
        tree.put("busy_union", finite(times.busyUnion()));
        tree.put("span", finite(times.span()));
        tree.put("interval", finite(times.interval()));
        return tree;
    }

    private static TransferFigures.Times readTimes(TreeFields fields) throws MalformedMessageException {
        return new TransferFigures.Times(
                fields.real("sum_of_durations"),
                fields.real("busy_union"),
                fields.real("span"),
                fields.real("interval"));
    }

    private static Map<String, @Nullable Object> throughput(TransferFigures.Throughput throughput) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("per_transfer_pooled", finite(throughput.pooled()));
        tree.put("busy", finite(throughput.busy()));
        tree.put("span", finite(throughput.span()));
        tree.put("interval", finite(throughput.interval()));
        tree.put("mean_of_rates", finite(throughput.meanOfRates()));
        return tree;
    }

    private static TransferFigures.Throughput readThroughput(TreeFields fields) throws MalformedMessageException {
        return new TransferFigures.Throughput(
                fields.real("per_transfer_pooled"),
                fields.real("busy"),
                fields.real("span"),
                fields.real("interval"),
                fields.real("mean_of_rates"));
    }

    private static Map<String, @Nullable Object> concurrency(TransferFigures.Concurrency concurrency) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("mean_while_busy", finite(concurrency.meanWhileBusy()));
        tree.put("peak", concurrency.peak());
        return tree;
    }

    private static TransferFigures.Concurrency readConcurrency(TreeFields fields) throws MalformedMessageException {
        return new TransferFigures.Concurrency(fields.real("mean_while_busy"), fields.integerOrNull("peak"));
    }

    private static Map<String, @Nullable Object> source(TransferFigures.Source source) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_ok", source.successful());
        tree.put("bytes_total", source.bytes());
        tree.put("n_transport_failures", source.transportFailures());
        tree.put("n_kv_expired", source.kvExpired());
        tree.put("busy_union_s", finite(source.busySeconds()));
        return tree;
    }

    private static TransferFigures.Source readSource(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new TransferFigures.Source(
                fields.integer("n_ok"),
                fields.integer("bytes_total"),
                fields.integer("n_transport_failures"),
                fields.integer("n_kv_expired"),
                fields.realOrZero("busy_union_s"));
    }

    private static Map<String, @Nullable Object> slow(TransferFigures.Slow slow) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("xfer_ms", finite(slow.xferMillis()));
        tree.put("bytes", slow.bytes());
        tree.put("end_ns", slow.endNanos());
        tree.put("source_id", slow.sourceId());
        tree.put("request_id", slow.requestId());
        tree.put("peer_id", slow.peerId());
        return tree;
    }

    private static TransferFigures.Slow readSlow(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new TransferFigures.Slow(
                fields.realOrZero("xfer_ms"),
                fields.integer("bytes"),
                fields.integer("end_ns"),
                fields.text("source_id"),
                fields.textOrNull("request_id"),
                fields.textOrNull("peer_id"));
    }
}
