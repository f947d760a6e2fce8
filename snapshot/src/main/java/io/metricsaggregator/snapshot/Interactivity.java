package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Output tokens and latencies of the tracked samples that completed without an error and whose output has a length. Failed samples are in neither sum.
 *
 * @param samples number of these samples
 * @param tokens their output tokens
 * @param latencyNanos their latencies, from issue to completion
 */
public record Interactivity(long samples, long tokens, long latencyNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Output tokens per second of request time, seen by the client; null without time. */
    public @Nullable Double tokensPerSecond() {
        return latencyNanos <= 0 ? null : (Double) (tokens * NANOS_PER_SECOND / latencyNanos);
    }
}
