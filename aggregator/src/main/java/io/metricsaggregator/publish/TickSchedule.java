package io.metricsaggregator.publish;

/** When ticks are due: at a fixed rate, and never two to make up for one that was missed. */
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

    /** How long until the next tick; not above 0 if it is due. */
    public long nanosUntilDue(long nowNanos) {
        return nextNanos - nowNanos;
    }

    /** Takes the tick that is due; those missed meanwhile are skipped and counted, and the rhythm stays. */
    public void take(long nowNanos) {
        long missed = Math.max(0, (nowNanos - nextNanos) / intervalNanos);
        skipped += missed;
        nextNanos += (missed + 1) * intervalNanos;
    }

    /** From the tick that is due next on, ticks are this far apart. */
    public void changeInterval(long nanos) {
        intervalNanos = nanos;
    }

    /** Ticks that were due and not taken. */
    public long skipped() {
        return skipped;
    }
}
