package io.metricsaggregator.synthetic;

/**
 * Ways in which servers differ from one that streams one token after the other and reports its usage: what load generators trip over.
 *
 * @param emptyChunks chunks without text before each chunk with text, 0 to 8, evenly spread over the time before it
 * @param usage what answers report as their usage
 * @param whole whether a request for a stream is answered with one JSON document
 * @param closing whether the connection is closed after each answer
 * @param freezeAfterNanos time from the first request of the load to the freeze, in nanoseconds; up to 4 requests with a pause of 0.5 s
 *     behind them are trials before it
 * @param freezeNanos duration of the freeze, during which no answer makes progress, in nanoseconds; 0 for none
 */
public record ServerQuirks(
        int emptyChunks, Usage usage, boolean whole, boolean closing, long freezeAfterNanos, long freezeNanos) {
    /** A server without any. */
    public static final ServerQuirks NONE = new ServerQuirks(0, Usage.SENT, false, false, 0, 0);

    private static final long FREEZE_MAX_NANOS = 3_600_000_000_000L;

    /** What answers report as their usage. */
    public enum Usage {
        /** The tokens that were sent. */
        SENT,
        /** No usage, although it was asked for. */
        ABSENT,
        /** Twice the tokens that were sent. */
        DOUBLED
    }

    /** Checks the ranges. */
    public ServerQuirks {
        if (emptyChunks < 0 || emptyChunks > 8) {
            throw new IllegalArgumentException("empty chunks: " + emptyChunks + " is not between 0 and 8");
        }
        if (Math.min(freezeAfterNanos, freezeNanos) < 0 || Math.max(freezeAfterNanos, freezeNanos) > FREEZE_MAX_NANOS) {
            throw new IllegalArgumentException(
                    "freeze: " + freezeNanos + " ns after " + freezeAfterNanos + " ns is not between 0 and an hour");
        }
    }

    /**
     * The end of a piece of work that the freeze may interrupt.
     *
     * @param begun its begin, in nanoseconds since the first request
     * @param due its end without a freeze, the same
     */
    public long frozenUntil(long begun, long due) {
        long thaw = freezeAfterNanos + freezeNanos;
        if (freezeNanos == 0 || begun >= thaw || due <= freezeAfterNanos) {
            return due;
        }
        return due + thaw - Math.max(begun, freezeAfterNanos);
    }
}
