package io.metricsaggregator.journal;

/**
 * The time axis of a journal: when its last entry was written, by the monotonic clock that stamps bursts and by the wall clock.
 * A journal pairs the two clocks at the first burst of each segment and when its run is finished. Belongs to the thread that reads.
 */
public final class JournalClock {
    private boolean anyBurst;
    private boolean paired;
    private long firstNanos;
    private long lastNanos;
    private long pairedNanos;
    private long pairedWallNanos;

    /** Takes the monotonic time of a burst. */
    public void burst(long nanos) {
        if (!anyBurst) {
            anyBurst = true;
            firstNanos = nanos;
        }
        lastNanos = nanos;
    }

    /** Takes both clocks at the same moment: the monotonic one, and the wall clock in nanoseconds since 1970 UTC. */
    public void pair(long nanos, long wallNanos) {
        paired = true;
        pairedNanos = nanos;
        pairedWallNanos = wallNanos;
        lastNanos = nanos;
    }

    /** Monotonic time of the last burst or of the run's end, in nanoseconds; 0 for a journal without either. */
    public long endNanos() {
        return lastNanos;
    }

    /**
     * Wall-clock time of {@link #endNanos}, in nanoseconds since 1970 UTC. A journal of a version that paired no clocks gives the
     * start of its run plus the time from the first burst to the last: an end that is early by the silence before the first burst.
     *
     * @param startedWallNanos when the run was started
     */
    public long endWallNanos(long startedWallNanos) {
        return paired
                ? pairedWallNanos + (lastNanos - pairedNanos)
                : startedWallNanos + (anyBurst ? Math.max(0, lastNanos - firstNanos) : 0);
    }
}
