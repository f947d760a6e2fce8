package io.metricsaggregator.text;

/**
 * What optional keys of the records told of a sample whose output is queued.
 *
 * @param usageTokens {@code completion_tokens} of its usage, or {@link #ABSENT}
 */
public record OutputDetail(long usageTokens) {
    /** A number that the records do not have. */
    public static final long ABSENT = -1;

    /** A sample without optional keys. */
    public static final OutputDetail NONE = new OutputDetail(ABSENT);
}
