package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Figures of the samples issued while the run was steady, of a finished run. Durations are exact in a window of super-passes, else from histograms whose
 * buckets are 0.8 % wide; rates over the span of issue. Null where nothing was measured.
 *
 * @param fromNanos start of the window on the producers' clock
 * @param toNanos end of the window, exclusive: of its last closed batch, or behind its last issue in a window of super-passes
 * @param samples tracked samples issued in the window
 * @param issueNanos from the first issue in the window to the last
 * @param issuedPerSecond samples issued a second
 * @param tokensPerSecond output tokens of these samples a second; null without counted outputs
 * @param goodPerSecond samples a second that met all objectives; null without objectives
 * @param ttft times to the first chunk
 * @param tpot times per output token, as in series {@code tpot_ns}
 * @param latency sample latencies
 * @param superPasses number of super-passes of the window; null for a window of the present level
 */
public record SteadyWindow(
        long fromNanos,
        long toNanos,
        long samples,
        long issueNanos,
        double issuedPerSecond,
        @Nullable Double tokensPerSecond,
        @Nullable Double goodPerSecond,
        @Nullable Durations ttft,
        @Nullable Durations tpot,
        @Nullable Durations latency,
        @Nullable Integer superPasses) {

    /** Creates a window of the present level. */
    public SteadyWindow(
            long fromNanos,
            long toNanos,
            long samples,
            long issueNanos,
            double issuedPerSecond,
            @Nullable Double tokensPerSecond,
            @Nullable Double goodPerSecond,
            @Nullable Durations ttft,
            @Nullable Durations tpot,
            @Nullable Durations latency) {
        this(
                fromNanos,
                toNanos,
                samples,
                issueNanos,
                issuedPerSecond,
                tokensPerSecond,
                goodPerSecond,
                ttft,
                tpot,
                latency,
                null);
    }

    /**
     * Durations in ns.
     *
     * @param count number of values, at least 1
     * @param mean exact mean
     */
    public record Durations(long count, double mean, double p50, double p90, double p99) {}

    /** Output tokens a second that one user sees: 10⁹ / p90 of TPOT; null without TPOT. */
    public @Nullable Double tokensPerSecondPerUser() {
        return tpot == null || tpot.p90() <= 0 ? null : (Double) (1e9 / tpot.p90());
    }
}
