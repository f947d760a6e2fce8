package io.metricsaggregator.text;

/**
 * Which service level objectives a completed sample met, as far as they are known before the tokens of its output are counted. The
 * objective on the time per output token is judged when the count returns.
 */
public enum LimitsMet {
    /** The sample is judged already, or the run has no objectives: nothing awaits the count. */
    JUDGED(false, false),
    /** Neither the limit on the time to first token nor that on latency. */
    NEITHER(false, false),
    /** The limit on the time to first token alone. */
    TTFT(true, false),
    /** The limit on latency alone. */
    LATENCY(false, true),
    /** Both limits. A limit that is not set counts as met. */
    BOTH(true, true),
    /** The sample is judged already, and is good: nothing awaits the count but the tokens of good samples. */
    GOOD(true, true);

    private final boolean ttft;
    private final boolean latency;

    LimitsMet(boolean ttft, boolean latency) {
        this.ttft = ttft;
        this.latency = latency;
    }

    /** Returns the constant of a sample whose judgement awaits the count of its output. */
    public static LimitsMet awaiting(boolean ttft, boolean latency) {
        if (ttft) {
            return latency ? BOTH : TTFT;
        }
        return latency ? LATENCY : NEITHER;
    }

    /** Whether the judgement awaits the count of the output. */
    public boolean isAwaiting() {
        return this != JUDGED && this != GOOD;
    }

    /** Whether the time to first token is within its limit; meaningful only while {@link #isAwaiting}. */
    public boolean ttft() {
        return ttft;
    }

    /** Whether the latency is within its limit; meaningful only while {@link #isAwaiting}. */
    public boolean latency() {
        return latency;
    }
}
