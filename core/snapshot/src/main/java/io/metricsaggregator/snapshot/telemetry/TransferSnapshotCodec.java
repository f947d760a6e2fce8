package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link TransferSnapshot} to and from the tree {@code observations.transfer}. */
final class TransferSnapshotCodec {
    private TransferSnapshotCodec() {}

    static Map<String, @Nullable Object> of(TransferSnapshot transfer) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("cumulative", span(transfer.cumulative()));
        TransferSnapshot.Span last = transfer.lastInterval();
        tree.put("last_interval", last == null ? null : span(last));
        tree.put("intervals", transfer.intervals());
        return tree;
    }

    static TransferSnapshot read(String path, Object tree) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, tree);
        return new TransferSnapshot(
                readSpan(fields.map("cumulative")),
                fields.has("last_interval") ? readSpan(fields.map("last_interval")) : null,
                fields.integer("intervals"));
    }

    private static Map<String, @Nullable Object> span(TransferSnapshot.Span span) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        TransferSnapshot.Logged seed = span.seed();
        TransferSnapshot.Logged current = span.current();
        TransferSnapshot.Logged released = span.released();
        tree.put("interval_s", finite(span.seconds()));
        tree.put("compat_seed", seed == null ? null : figures(seed));
        tree.put("compat_current", current == null ? null : figures(current));
        if (released != null) {
            tree.put("compat_0_33", figures(released));
        }
        tree.put("line_seed", seed == null ? null : seed.line());
        tree.put("line_current", current == null ? null : current.line());
        if (released != null) {
            tree.put("line_0_33", released.line());
        }
        tree.put("ours", TransferFiguresCodec.of(span.transfers()));
        TransferSnapshot.Exposed prometheus = span.prometheus();
        if (prometheus != null) {
            tree.put("prometheus", exposed(prometheus));
        }
        return tree;
    }

    private static TransferSnapshot.Span readSpan(TreeFields fields) throws MalformedMessageException {
        return new TransferSnapshot.Span(
                fields.realOrZero("interval_s"),
                readLogged(fields, "compat_seed", "line_seed"),
                readLogged(fields, "compat_current", "line_current"),
                readLogged(fields, "compat_0_33", "line_0_33"),
                TransferFiguresCodec.read(fields.map("ours")),
                fields.has("prometheus") ? readExposed(fields.map("prometheus")) : null);
    }

    /** JSON has no number for NaN and infinity: they are written as text. */
    private static Map<String, @Nullable Object> figures(TransferSnapshot.Logged logged) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        logged.figures()
                .forEach((figure, value) -> tree.put(
                        figure.wireName(),
                        value instanceof Double real && !Double.isFinite(real)
                                ? real.isNaN() ? "NaN" : "Infinity"
                                : value));
        return tree;
    }

    private static TransferSnapshot.@Nullable Logged readLogged(TreeFields fields, String figures, String line)
            throws MalformedMessageException {
        if (!fields.has(figures)) {
            return null;
        }
        TreeFields from = fields.map(figures);
        Map<NixlFigure, Number> read = new EnumMap<>(NixlFigure.class);
        for (NixlFigure figure : NixlFigure.values()) {
            Object value = from.value(figure.wireName());
            if (value instanceof Long whole) {
                read.put(figure, whole);
            } else if ("NaN".equals(value) || "Infinity".equals(value)) {
                read.put(figure, Double.valueOf(String.valueOf(value)));
            } else {
                Double real = from.real(figure.wireName());
                if (real != null) {
                    read.put(figure, real);
                }
            }
        }
        return new TransferSnapshot.Logged(read, fields.textOrNull(line));
    }

    private static Map<String, @Nullable Object> exposed(TransferSnapshot.Exposed exposed) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("vllm:nixl_xfer_time_seconds", histogram(exposed.xferSeconds()));
        tree.put("vllm:nixl_post_time_seconds", histogram(exposed.postSeconds()));
        tree.put("vllm:nixl_bytes_transferred", histogram(exposed.bytes()));
        tree.put("vllm:nixl_num_descriptors", histogram(exposed.descriptors()));
        tree.put("vllm:nixl_num_failed_transfers_total", exposed.failedTransfers());
        tree.put("vllm:nixl_num_failed_notifications_total", exposed.failedNotifications());
        tree.put("vllm:nixl_num_kv_expired_reqs_total", exposed.expiredRequests());
        TreeFields.putIfAny(tree, "vllm:nixl_num_notifications_after_expiry_total", exposed.notificationsAfterExpiry());
        return tree;
    }

    private static TransferSnapshot.Exposed readExposed(TreeFields fields) throws MalformedMessageException {
        return new TransferSnapshot.Exposed(
                readHistogram(fields.map("vllm:nixl_xfer_time_seconds")),
                readHistogram(fields.map("vllm:nixl_post_time_seconds")),
                readHistogram(fields.map("vllm:nixl_bytes_transferred")),
                readHistogram(fields.map("vllm:nixl_num_descriptors")),
                fields.integer("vllm:nixl_num_failed_transfers_total"),
                fields.integer("vllm:nixl_num_failed_notifications_total"),
                fields.integer("vllm:nixl_num_kv_expired_reqs_total"),
                fields.integerOrZero("vllm:nixl_num_notifications_after_expiry_total"));
    }

    private static Map<String, @Nullable Object> histogram(TransferSnapshot.Histogram histogram) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("buckets_le", histogram.atMost());
        tree.put("sum", finite(histogram.sum()));
        tree.put("count", histogram.count());
        return tree;
    }

    private static TransferSnapshot.Histogram readHistogram(TreeFields fields) throws MalformedMessageException {
        return new TransferSnapshot.Histogram(
                fields.byName("buckets_le", TreeFields::wholeNumber), fields.real("sum"), fields.integer("count"));
    }
}
