package io.metricsaggregator.snapshot.telemetry;

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
            long untimed) {}

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
            @Nullable Double interval) {}

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
            @Nullable Double meanOfRates) {}

    /**
     * Transfers in progress at the same time; null where the clocks of several hosts cannot be compared.
     *
     * @param meanWhileBusy mean over the time with at least one transfer
     * @param peak highest number
     */
    public record Concurrency(
            @Nullable Double meanWhileBusy, @Nullable Long peak) {}

    /**
     * Transfers of one source.
     *
     * @param busySeconds time during which at least one of its transfers was in progress
     */
    public record Source(long successful, long bytes, long transportFailures, long kvExpired, double busySeconds) {}

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
            @Nullable String peerId) {}
}
