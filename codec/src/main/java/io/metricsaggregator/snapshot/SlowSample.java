package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * One sample that took long, and what happened when. Timestamps are the producer's, in nanoseconds.
 *
 * @param by what it took long for: {@link #LATENCY} or {@link #TTFT}
 * @param id its id, as far as its first 256 bytes
 * @param worker who sent its completion; {@code ""} if that names nobody
 * @param nanos how long it took
 * @param failed whether it had an error before it completed
 * @param scheduledNanos when it was to be issued; null if the producer does not tell
 * @param issuedNanos when it was issued
 * @param firstNanos when its first chunk came; null if it came in one piece
 * @param lastNanos when its last chunk came; null likewise
 * @param completedNanos when it completed
 */
public record SlowSample(
        String by,
        String id,
        String worker,
        long nanos,
        boolean failed,
        @Nullable Long scheduledNanos,
        long issuedNanos,
        @Nullable Long firstNanos,
        @Nullable Long lastNanos,
        long completedNanos) {
    /** From the issue to the completion. */
    public static final String LATENCY = "latency";

    /** From the issue to the first chunk. */
    public static final String TTFT = "ttft";
}
