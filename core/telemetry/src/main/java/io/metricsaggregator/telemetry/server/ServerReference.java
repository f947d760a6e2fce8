package io.metricsaggregator.telemetry.server;

import org.jspecify.annotations.Nullable;

/**
 * What the figures of servers are compared with.
 *
 * @param runTtftNanos mean time to first token of the tracked samples; null without any
 * @param runLatencyNanos mean latency of the tracked samples; null without any
 * @param steady the steady window; null if there is none
 */
public record ServerReference(
        @Nullable Double runTtftNanos,
        @Nullable Double runLatencyNanos,
        @Nullable Window steady) {
    /** Nothing to compare with. */
    public static final ServerReference NONE = new ServerReference(null, null, null);

    /**
     * The steady window.
     *
     * @param wallOffsetNanos what the wall clock is ahead of the producers' clock
     * @param fromNanos start, on the producers' clock
     * @param toNanos end, exclusive
     * @param ttftNanos mean time to first token of its samples; null without any
     * @param latencyNanos mean latency of its samples; null without any
     */
    public record Window(
            long wallOffsetNanos,
            long fromNanos,
            long toNanos,
            @Nullable Double ttftNanos,
            @Nullable Double latencyNanos) {}
}
