package io.metricsaggregator.text;

/**
 * What the fold needs again when the tokens of a sample's output have been counted; by then the sample is no longer in flight. Made
 * only for outputs that are queued, never for other events.
 *
 * @param sinceFirstNanos nanoseconds from the first chunk to the completion, or {@link #NO_FIRST_CHUNK}
 * @param issuedNanos timestamp of the issue, as in the event
 * @param completedNanos timestamp of the completion, as in the event
 * @param limitsMet the objectives that the sample met, or that nothing awaits the count
 * @param detail what optional keys told of the sample
 */
public record PendingOutput(
        long sinceFirstNanos, long issuedNanos, long completedNanos, LimitsMet limitsMet, OutputDetail detail) {
    /** Stands for {@code sinceFirstNanos} of an output without a first chunk, or in a run without series of streamed answers. */
    public static final long NO_FIRST_CHUNK = Long.MIN_VALUE;

    /** Creates the pending output of a sample without optional keys. */
    public PendingOutput(long sinceFirstNanos, long issuedNanos, long completedNanos, LimitsMet limitsMet) {
        this(sinceFirstNanos, issuedNanos, completedNanos, limitsMet, OutputDetail.NONE);
    }

    /** Whether the time since the first chunk is known, so that the tokens after it matter. */
    public boolean hasFirstChunk() {
        return sinceFirstNanos != NO_FIRST_CHUNK;
    }
}
