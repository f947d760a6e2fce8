package io.metricsaggregator.text;

/**
 * What a sample whose output is queued needs besides its times: to which figures its tokens count, and what optional keys told of it.
 *
 * @param usageTokens {@code completion_tokens} of its usage, or {@link #ABSENT}
 * @param usageReasoning {@code reasoning_tokens} of its usage, or {@link #ABSENT}
 * @param latencyNanos nanoseconds from the issue to the completion, or {@link #NO_TIME}
 * @param receiveNanos nanoseconds from the first to the last chunk, or {@link #NO_TIME}
 * @param labels the sample's labels as the fold packs them; 0 for none
 * @param countsParts whether reasoning and answer are to be counted apart too
 * @param superPass the sample's pass over the dataset, from 0; {@link #ABSENT} in a run without super-passes
 * @param sinceFirstEverNanos nanoseconds from the first chunk of its first try to the completion, or {@link #NO_TIME}; only with a super-pass
 * @param conversation the sample's conversation and turn as the fold packs them; 0 for none
 * @param outcome how the sample ended
 * @param usagePrompt {@code prompt_tokens} of its usage, or {@link #ABSENT}
 */
public record OutputDetail(
        long usageTokens,
        long usageReasoning,
        long latencyNanos,
        long receiveNanos,
        long labels,
        boolean countsParts,
        long superPass,
        long sinceFirstEverNanos,
        long conversation,
        Outcome outcome,
        long usagePrompt) {

    /** How a sample ended, which decides the figures that the length of its output counts in. */
    public enum Outcome {
        /** Tracked and completed without an error. */
        SUCCEEDED,
        /** Tracked and completed after an error. */
        FAILED,
        /** Not tracked: its output counts in {@code osl_all} alone. */
        UNTRACKED
    }

    /** A number that the records do not have. */
    public static final long ABSENT = -1;
    /** A duration that is unknown or not wanted. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** A sample that succeeded in a run without optional keys, super-passes and conversations. */
    public static final OutputDetail NONE = new OutputDetail(ABSENT, ABSENT, NO_TIME, NO_TIME, 0, false);

    /** A sample that completed after an error. */
    public static final OutputDetail FAILED = of(Outcome.FAILED);

    /** A sample that is not tracked. */
    public static final OutputDetail UNTRACKED = of(Outcome.UNTRACKED);

    /** Creates the detail of a sample that succeeded, in a run without super-passes and conversations. */
    public OutputDetail(
            long usageTokens,
            long usageReasoning,
            long latencyNanos,
            long receiveNanos,
            long labels,
            boolean countsParts) {
        this(
                usageTokens,
                usageReasoning,
                latencyNanos,
                receiveNanos,
                labels,
                countsParts,
                ABSENT,
                NO_TIME,
                0,
                Outcome.SUCCEEDED,
                ABSENT);
    }

    private static OutputDetail of(Outcome outcome) {
        return new OutputDetail(ABSENT, ABSENT, NO_TIME, NO_TIME, 0, false, ABSENT, NO_TIME, 0, outcome, ABSENT);
    }

    /** The detail of a sample about which nothing else is known. */
    public static OutputDetail plain(Outcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> NONE;
            case FAILED -> FAILED;
            case UNTRACKED -> UNTRACKED;
        };
    }

    /** The same detail of a sample in a super-pass. */
    public OutputDetail inSuperPass(long pass, long sinceFirstEver) {
        return new OutputDetail(
                usageTokens,
                usageReasoning,
                latencyNanos,
                receiveNanos,
                labels,
                countsParts,
                pass,
                sinceFirstEver,
                conversation,
                outcome,
                usagePrompt);
    }
}
