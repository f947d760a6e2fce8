package io.metricsaggregator.text;

/**
 * What a sample whose output is queued needs besides, in a run whose records have optional keys.
 *
 * @param usageTokens {@code completion_tokens} of its usage, or {@link #ABSENT}
 * @param usageReasoning {@code reasoning_tokens} of its usage, or {@link #ABSENT}
 * @param latencyNanos nanoseconds from the issue to the completion, or {@link #NO_TIME}
 * @param receiveNanos nanoseconds from the first to the last chunk, or {@link #NO_TIME}
 * @param labels the sample's labels as the fold packs them; 0 for none
 * @param countsParts whether reasoning and answer are to be counted apart too
 */
public record OutputDetail(
        long usageTokens, long usageReasoning, long latencyNanos, long receiveNanos, long labels, boolean countsParts) {
    /** A number that the records do not have. */
    public static final long ABSENT = -1;
    /** A duration that is unknown or not wanted. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** A sample of a run without optional keys. */
    public static final OutputDetail NONE = new OutputDetail(ABSENT, ABSENT, NO_TIME, NO_TIME, 0, false);
}
