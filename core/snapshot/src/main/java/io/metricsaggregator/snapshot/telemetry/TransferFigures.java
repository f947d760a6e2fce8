package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the transfers in a span of time.
 *
 * @param counts how transfers ended
 * @param successRatio successful transfers among those that were tried, 0 to 1; null if none was tried
 * @param bytes bytes of successful transfers; {@link Long#MAX_VALUE} if there are more
 * @param percentileMethod how percentiles were computed: {@code linear}, {@code hdr} or {@code sampled}
 * @param spansLate transfers of which a part arrived too late for the busy time
 * @param xferMillis transfer times
 * @param postMillis times to post a transfer
 * @param mebibytes MiB per transfer
 * @param descriptors descriptors per transfer
 * @param times times that throughput is divided by
 * @param throughput throughput by several definitions
 * @param concurrency transfers in progress at the same time
 * @param bySource figures of each source; those beyond the limit share {@code other}
 * @param failureReasons failures by the reason that was reported
 * @param unknownLists elements of lists in {@code transfer.stats} that this version does not know, by name
 * @param slowest the slowest transfers, the slowest first
 */
public record TransferFigures(
        Counts counts,
        @Nullable Double successRatio,
        long bytes,
        String percentileMethod,
        long spansLate,
        ValueStatistics xferMillis,
        ValueStatistics postMillis,
        ValueStatistics mebibytes,
        ValueStatistics descriptors,
        Times times,
        Throughput throughput,
        Concurrency concurrency,
        Map<String, Source> bySource,
        Map<String, Long> failureReasons,
        Map<String, Long> unknownLists,
        List<Slow> slowest) {
    private static final double MIB = 1 << 20;
    private static final Fields.Shape<ValueStatistics> STATISTICS = ValueStatistics.in("");

    static final TransferFigures BLANK = new TransferFigures(
            new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0),
            null,
            0,
            "",
            0,
            ValueStatistics.NONE,
            ValueStatistics.NONE,
            ValueStatistics.NONE,
            ValueStatistics.NONE,
            Times.BLANK,
            Throughput.BLANK,
            Concurrency.BLANK,
            Map.of(),
            Map.of(),
            Map.of(),
            List.of());

    static TransferFigures pass(Fields f, TransferFigures v) throws MalformedMessageException {
        Counts counts = Counts.pass(f, v.counts);
        Double successRatio = f.maybeReal("success_ratio", v.successRatio);
        long bytes = f.laterCount("bytes_total", v.bytes);
        f.derived("mib_total", v.mebibytesTotal());
        return new TransferFigures(
                counts,
                successRatio,
                bytes,
                f.laterText("percentile_method", v.percentileMethod),
                f.laterCount("spans_late", v.spansLate),
                f.laterRecord("xfer_ms", v.xferMillis, STATISTICS, ValueStatistics.NONE),
                f.laterRecord("post_ms", v.postMillis, STATISTICS, ValueStatistics.NONE),
                f.laterRecord("mib_per_transfer", v.mebibytes, STATISTICS, ValueStatistics.NONE),
                f.laterRecord("descriptors", v.descriptors, STATISTICS, ValueStatistics.NONE),
                f.laterRecord("time_s", v.times, Times::pass, Times.BLANK),
                f.laterRecord("throughput_mib_s", v.throughput, Throughput::pass, Throughput.BLANK),
                f.laterRecord("concurrency", v.concurrency, Concurrency::pass, Concurrency.BLANK),
                f.form("by_source", v.bySource, Source.BY_NAME),
                f.counts("failure_reasons", v.failureReasons),
                f.counts("unknown_lists", v.unknownLists),
                f.laterList("slowest", v.slowest, Slow::pass, Slow.BLANK));
    }

    /** MiB of successful transfers. */
    public double mebibytesTotal() {
        return bytes / MIB;
    }

    /**
     * How transfers ended.
     *
     * @param successful transfers that completed
     * @param failed transfers that failed
     * @param notificationsFailed notifications that failed
     * @param handshakesFailed handshakes that failed
     * @param receivesFailed receives that failed, which Mooncake's connector counts apart
     * @param transportFailures the sum of the four failures before
     * @param kvExpired requests whose KV cache expired
     * @param notifiedAfterExpiry notifications that arrived after the KV cache of their request had expired
     * @param untimed successful transfers without a transfer time
     */
    public record Counts(
            long successful,
            long failed,
            long notificationsFailed,
            long handshakesFailed,
            long receivesFailed,
            long transportFailures,
            long kvExpired,
            long notifiedAfterExpiry,
            long untimed) {
        static Counts pass(Fields f, Counts v) throws MalformedMessageException {
            return new Counts(
                    f.laterCount("n_ok", v.successful),
                    f.laterCount("n_failed", v.failed),
                    f.laterCount("n_notify_failed", v.notificationsFailed),
                    f.laterCount("n_handshake_failed", v.handshakesFailed),
                    f.rareCount("n_receive_failed", v.receivesFailed),
                    f.laterCount("n_transport_failures", v.transportFailures),
                    f.laterCount("n_kv_expired", v.kvExpired),
                    f.rareCount("n_notified_after_expiry", v.notifiedAfterExpiry),
                    f.laterCount("n_untimed", v.untimed));
        }
    }

    /**
     * Times in seconds; null where the clocks of several hosts cannot be compared.
     *
     * @param sumOfDurations sum of the transfer times
     * @param busyUnion time during which at least one transfer was in progress
     * @param span time from the first start to the last end
     * @param interval length of the span of time that the figures cover
     */
    public record Times(
            @Nullable Double sumOfDurations,
            @Nullable Double busyUnion,
            @Nullable Double span,
            @Nullable Double interval) {
        static final Times BLANK = new Times(null, null, null, null);

        static Times pass(Fields f, Times v) throws MalformedMessageException {
            return new Times(
                    f.maybeReal("sum_of_durations", v.sumOfDurations),
                    f.maybeReal("busy_union", v.busyUnion),
                    f.maybeReal("span", v.span),
                    f.maybeReal("interval", v.interval));
        }
    }

    /**
     * Throughput in MiB/s; null where its time is unknown or 0.
     *
     * @param pooled bytes by the sum of transfer times, as vLLM logs it
     * @param busy bytes by the time during which a transfer was in progress
     * @param span bytes by the time from the first start to the last end
     * @param interval bytes by the length of the span of time that the figures cover
     * @param meanOfRates mean of the throughput of each transfer
     */
    public record Throughput(
            @Nullable Double pooled,
            @Nullable Double busy,
            @Nullable Double span,
            @Nullable Double interval,
            @Nullable Double meanOfRates) {
        static final Throughput BLANK = new Throughput(null, null, null, null, null);

        static Throughput pass(Fields f, Throughput v) throws MalformedMessageException {
            return new Throughput(
                    f.maybeReal("per_transfer_pooled", v.pooled),
                    f.maybeReal("busy", v.busy),
                    f.maybeReal("span", v.span),
                    f.maybeReal("interval", v.interval),
                    f.maybeReal("mean_of_rates", v.meanOfRates));
        }
    }

    /**
     * Transfers in progress at the same time; null where the clocks of several hosts cannot be compared.
     *
     * @param meanWhileBusy mean over the time with at least one transfer
     * @param peak highest number
     */
    public record Concurrency(
            @Nullable Double meanWhileBusy, @Nullable Long peak) {
        static final Concurrency BLANK = new Concurrency(null, null);

        static Concurrency pass(Fields f, Concurrency v) throws MalformedMessageException {
            return new Concurrency(f.maybeReal("mean_while_busy", v.meanWhileBusy), f.maybeCount("peak", v.peak));
        }
    }

    /**
     * Transfers of one source.
     *
     * @param busySeconds time during which at least one of its transfers was in progress
     */
    public record Source(long successful, long bytes, long transportFailures, long kvExpired, double busySeconds) {
        static final Fields.Form<Map<String, Source>> BY_NAME = Forms.map(Source::pass, new Source(0, 0, 0, 0, 0));

        static Source pass(Fields f, Source v) throws MalformedMessageException {
            return new Source(
                    f.laterCount("n_ok", v.successful),
                    f.laterCount("bytes_total", v.bytes),
                    f.laterCount("n_transport_failures", v.transportFailures),
                    f.laterCount("n_kv_expired", v.kvExpired),
                    f.laterReal("busy_union_s", v.busySeconds));
        }
    }

    /**
     * One of the slowest transfers.
     *
     * @param endNanos time of its end, on the clock that orders the source's records
     * @param requestId null if it was not reported
     * @param peerId null if it was not reported
     */
    public record Slow(
            double xferMillis,
            long bytes,
            long endNanos,
            String sourceId,
            @Nullable String requestId,
            @Nullable String peerId) {
        static final Slow BLANK = new Slow(0, 0, 0, "", null, null);

        static Slow pass(Fields f, Slow v) throws MalformedMessageException {
            return new Slow(
                    f.laterReal("xfer_ms", v.xferMillis),
                    f.laterCount("bytes", v.bytes),
                    f.laterCount("end_ns", v.endNanos),
                    f.laterText("source_id", v.sourceId),
                    f.maybeText("request_id", v.requestId),
                    f.maybeText("peer_id", v.peerId));
        }
    }
}
