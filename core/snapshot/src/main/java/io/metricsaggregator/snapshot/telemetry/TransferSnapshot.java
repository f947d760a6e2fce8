package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeValues;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * KV-cache transfers between engines.
 *
 * @param cumulative the transfers of the run
 * @param lastInterval the transfers of the last complete interval; null before the end of the first
 * @param intervals number of complete intervals
 */
public record TransferSnapshot(Span cumulative, @Nullable Span lastInterval, long intervals)
        implements TelemetrySnapshot {

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.TRANSFER;
    }

    @Override
    public Map<String, @Nullable Object> tree() {
        return TreeWriter.tree(this, TransferSnapshot::pass);
    }

    static final TransferSnapshot BLANK = new TransferSnapshot(Span.BLANK, null, 0);

    static TransferSnapshot pass(Fields f, TransferSnapshot v) throws MalformedMessageException {
        return new TransferSnapshot(
                f.laterRecord("cumulative", v.cumulative, Span::pass, Span.BLANK),
                f.maybe("last_interval", v.lastInterval, Span::pass, Span.BLANK),
                f.laterCount("intervals", v.intervals));
    }

    /**
     * Transfers of a span of time: the run, or an interval.
     *
     * @param seconds length of the span
     * @param seed the figures as the first version of vLLM's connector logs them; null if it logs nothing
     * @param current the figures as the version logs them that has no notifications after expiry; null if it logs nothing
     * @param released the figures as vLLM 0.33.0 logs them; null if it logs nothing, or in a snapshot of an older daemon
     * @param transfers the figures by this project's definitions
     * @param prometheus what vLLM exports to Prometheus; null for an interval
     */
    public record Span(
            double seconds,
            @Nullable Logged seed,
            @Nullable Logged current,
            @Nullable Logged released,
            TransferFigures transfers,
            @Nullable Exposed prometheus) {
        static final Span BLANK = new Span(0, null, null, null, TransferFigures.BLANK, null);

        static Span pass(Fields f, Span v) throws MalformedMessageException {
            double seconds = f.laterReal("interval_s", v.seconds);
            Logged seed = f.maybeForm("compat_seed", v.seed, Logged.FORM);
            Logged current = f.maybeForm("compat_current", v.current, Logged.FORM);
            Logged released = f.absentForm("compat_0_33", v.released, Logged.FORM);
            String seedLine = f.maybeText("line_seed", Logged.lineOf(v.seed));
            String currentLine = f.maybeText("line_current", Logged.lineOf(v.current));
            String releasedLine =
                    f.group(released != null, "line_0_33") ? f.maybeText("line_0_33", Logged.lineOf(v.released)) : null;
            return new Span(
                    seconds,
                    Logged.of(seed, seedLine),
                    Logged.of(current, currentLine),
                    Logged.of(released, releasedLine),
                    f.laterRecord("ours", v.transfers, TransferFigures::pass, TransferFigures.BLANK),
                    f.absent("prometheus", v.prometheus, Exposed::pass, Exposed.BLANK));
        }
    }

    /**
     * What a version of vLLM's connector logs.
     *
     * @param figures rounded as vLLM rounds them; a {@link Long} or a {@link Double}, which can be NaN or infinite where vLLM divides by no time
     * @param line the log line
     */
    public record Logged(
            Map<NixlFigure, Number> figures, @Nullable String line) {
        /** The figures; the line is written apart. JSON has no number for NaN and infinity: they are texts. */
        static final Fields.Form<Logged> FORM = Forms.of(Logged::tree, Logged::read);

        static @Nullable String lineOf(@Nullable Logged logged) {
            return logged == null ? null : logged.line;
        }

        static @Nullable Logged of(@Nullable Logged figures, @Nullable String line) {
            return figures == null ? null : new Logged(figures.figures, line);
        }

        private static Object tree(Logged logged) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            logged.figures.forEach((figure, value) ->
                    tree.put(figure.wireName(), value instanceof Double real ? Forms.ANY_NUMBER.tree(real) : value));
            return tree;
        }

        private static @Nullable Logged read(String path, @Nullable Object tree) throws MalformedMessageException {
            if (tree == null) {
                return null;
            }
            Map<?, ?> from = TreeValues.map(path, tree);
            Map<NixlFigure, Number> figures = new EnumMap<>(NixlFigure.class);
            for (NixlFigure figure : NixlFigure.values()) {
                Object value = from.get(figure.wireName());
                if (value instanceof Long whole) {
                    figures.put(figure, whole);
                } else if (value != null) {
                    figures.put(figure, Forms.ANY_NUMBER.read(path + "." + figure.wireName(), value));
                }
            }
            return new Logged(figures, null);
        }
    }

    /** Histograms and counters that vLLM exports to Prometheus. */
    public record Exposed(
            Histogram xferSeconds,
            Histogram postSeconds,
            Histogram bytes,
            Histogram descriptors,
            long failedTransfers,
            long failedNotifications,
            long expiredRequests,
            long notificationsAfterExpiry) {
        static final Exposed BLANK =
                new Exposed(Histogram.BLANK, Histogram.BLANK, Histogram.BLANK, Histogram.BLANK, 0, 0, 0, 0);

        static Exposed pass(Fields f, Exposed v) throws MalformedMessageException {
            return new Exposed(
                    histogram(f, "vllm:nixl_xfer_time_seconds", v.xferSeconds),
                    histogram(f, "vllm:nixl_post_time_seconds", v.postSeconds),
                    histogram(f, "vllm:nixl_bytes_transferred", v.bytes),
                    histogram(f, "vllm:nixl_num_descriptors", v.descriptors),
                    f.laterCount("vllm:nixl_num_failed_transfers_total", v.failedTransfers),
                    f.laterCount("vllm:nixl_num_failed_notifications_total", v.failedNotifications),
                    f.laterCount("vllm:nixl_num_kv_expired_reqs_total", v.expiredRequests),
                    f.rareCount("vllm:nixl_num_notifications_after_expiry_total", v.notificationsAfterExpiry));
        }

        private static Histogram histogram(Fields f, String name, Histogram v) throws MalformedMessageException {
            return f.laterRecord(name, v, Histogram::pass, Histogram.BLANK);
        }
    }

    /**
     * A histogram as Prometheus' client libraries count it.
     *
     * @param atMost number of values up to each upper edge; the last edge is {@code +Inf}
     * @param sum sum of the values; null if it is not finite
     * @param count number of values
     */
    public record Histogram(
            Map<String, Long> atMost, @Nullable Double sum, long count) {
        static final Histogram BLANK = new Histogram(Map.of(), null, 0);

        static Histogram pass(Fields f, Histogram v) throws MalformedMessageException {
            return new Histogram(
                    f.counts("buckets_le", v.atMost), f.maybeReal("sum", v.sum), f.laterCount("count", v.count));
        }
    }
}
