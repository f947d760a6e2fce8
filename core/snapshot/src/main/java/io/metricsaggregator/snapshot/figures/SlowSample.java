package io.metricsaggregator.snapshot.figures;

import org.jspecify.annotations.Nullable;

/**
 * A sample among the slowest of its run, with its timestamps. Timestamps are the producer's, in nanoseconds.
 *
 * @param by the duration that ranks it: {@link #LATENCY} or {@link #TTFT}
 * @param id the first 256 bytes of the sample id
 * @param worker the worker that sent the completion; {@code ""} if the record names none
 * @param nanos the duration in nanoseconds
 * @param failed whether it had an error before it completed
 * @param scheduledNanos its scheduled time; null if the producer sends no {@code scheduled_ns}
 * @param issuedNanos when it was issued
 * @param firstNanos when its first chunk came; null if the answer came in one piece
 * @param lastNanos when its last chunk came; null if the answer came in one piece
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

    /** The same sample with its timestamps relative to a start. */
    public SlowSample since(long startNanos) {
        return new SlowSample(
                by,
                id,
                worker,
                nanos,
                failed,
                scheduledNanos == null ? null : (Long) (scheduledNanos - startNanos),
                issuedNanos - startNanos,
                firstNanos == null ? null : (Long) (firstNanos - startNanos),
                lastNanos == null ? null : (Long) (lastNanos - startNanos),
                completedNanos - startNanos);
    }
}
