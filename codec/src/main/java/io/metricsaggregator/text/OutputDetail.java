package io.metricsaggregator.text;

/**
 * What a sample whose output is queued needs besides, in a run whose records have optional keys or that is divided into super-passes.
 *
 * @param usageTokens {@code completion_tokens} of its usage, or {@link #ABSENT}
 * @param usageReasoning {@code reasoning_tokens} of its usage, or {@link #ABSENT}
 * @param latencyNanos nanoseconds from the issue to the completion, or {@link #NO_TIME}
 * @param receiveNanos nanoseconds from the first to the last chunk, or {@link #NO_TIME}
 * @param labels the sample's labels as the fold packs them; 0 for none
 * @param countsParts whether reasoning and answer are to be counted apart too
 * @param superPass the sample's pass over the dataset, from 0; {@link #ABSENT} in a run without super-passes
 * @param sinceFirstEverNanos nanoseconds from the first chunk of its first try to the completion, or {@link #NO_TIME}; only with a super-pass
 */
public record OutputDetail(
        long usageTokens,
        long usageReasoning,
        long latencyNanos,
        long receiveNanos,
        long labels,
        boolean countsParts,
        long superPass,
        long sinceFirstEverNanos) {
    /** A number that the records do not have. */
    public static final long ABSENT = -1;
    /** A duration that is unknown or not wanted. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** Creates the detail of a sample in a run without super-passes. */
    public OutputDetail(
            long usageTokens,
            long usageReasoning,
            long latencyNanos,
            long receiveNanos,
            long labels,
            boolean countsParts) {
        this(usageTokens, usageReasoning, latencyNanos, receiveNanos, labels, countsParts, ABSENT, NO_TIME);
    }

    /** A sample of a run without optional keys. */
    public static final OutputDetail NONE = new OutputDetail(ABSENT, ABSENT, NO_TIME, NO_TIME, 0, false);

    /** The same detail of a sample in a super-pass. */
    public OutputDetail inSuperPass(long pass, long sinceFirstEver) {
        return new OutputDetail(
                usageTokens, usageReasoning, latencyNanos, receiveNanos, labels, countsParts, pass, sinceFirstEver);
    }
}
