package io.metricsaggregator.publish;

/** Schedule of ticks at a fixed rate; a missed tick is skipped, not made up for. Not thread-safe. */
public final class TickSchedule {
    private long intervalNanos;
    private long nextNanos;
    private long skipped;

    /**
     * A schedule whose first tick is due one interval after {@code startNanos}.
     *
     * @param intervalNanos at least 1
     */
    public TickSchedule(long startNanos, long intervalNanos) {
        if (intervalNanos < 1) {
            throw new IllegalArgumentException("tick interval " + intervalNanos + " ns is below 1");
        }
        this.intervalNanos = intervalNanos;
        this.nextNanos = startNanos + intervalNanos;
    }

    /** Nanoseconds until the next tick; 0 or less if it is due. */
    public long nanosUntilDue(long nowNanos) {
        return nextNanos - nowNanos;
    }

    /** Takes the due tick; ticks missed since are skipped and counted, and the phase stays. */
    public void take(long nowNanos) {
        long missed = Math.max(0, (nowNanos - nextNanos) / intervalNanos);
        skipped += missed;
        nextNanos += (missed + 1) * intervalNanos;
    }

    /** Sets the interval that follows the next tick. */
    public void changeInterval(long nanos) {
        intervalNanos = nanos;
    }

    /** Ticks that were due and not taken. */
    public long skipped() {
        return skipped;
    }
}
