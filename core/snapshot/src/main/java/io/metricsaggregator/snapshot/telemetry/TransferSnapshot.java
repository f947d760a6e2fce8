package io.metricsaggregator.snapshot.telemetry;

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
        return TransferSnapshotCodec.of(this);
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
            @Nullable Exposed prometheus) {}

    /**
     * What a version of vLLM's connector logs.
     *
     * @param figures rounded as vLLM rounds them; a {@link Long} or a {@link Double}, which can be NaN or infinite where vLLM divides by no time
     * @param line the log line
     */
    public record Logged(
            Map<NixlFigure, Number> figures, @Nullable String line) {}

    /** Histograms and counters that vLLM exports to Prometheus. */
    public record Exposed(
            Histogram xferSeconds,
            Histogram postSeconds,
            Histogram bytes,
            Histogram descriptors,
            long failedTransfers,
            long failedNotifications,
            long expiredRequests,
            long notificationsAfterExpiry) {}

    /**
     * A histogram as Prometheus' client libraries count it.
     *
     * @param atMost number of values up to each upper edge; the last edge is {@code +Inf}
     * @param sum sum of the values; null if it is not finite
     * @param count number of values
     */
    public record Histogram(
            Map<String, Long> atMost, @Nullable Double sum, long count) {}
}
