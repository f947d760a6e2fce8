package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.TimestampMath;

/**
 * Opens and closes the performance-tracked windows of a run ("blocks" in the reference), by the session's events and by the time cut. Windows are
 * numbered in the order of opening; the stamp of the run has the open one. Knows no sample: {@link WindowSums} has their completions. Belongs to the
 * thread of the fold; allocates nothing.
 */
public final class TrackedWindows {
    private final SampleContext stamp;
    private final TimeCut cut;
    private final boolean uncut;
    private long opened;

    /** With a cut: the range of issue times that are tracked, and whether the session's events have a window open. */
    private long cutFrom = Long.MIN_VALUE;

    private long cutTo = Long.MAX_VALUE;
    private boolean wanted;
    private boolean everWanted;
    private long wantedSince;

    /**
     * No window yet.
     *
     * @param stamp gets the open window
     */
    public TrackedWindows(TimeCut cut, SampleContext stamp) {
        this.stamp = stamp;
        this.cut = cut;
        this.uncut = cut.isWholeRun();
    }

    private boolean isOpen() {
        return stamp.window != SampleContext.NONE;
    }

    /** Sets the start of the session, from which the times of the cut count. */
    public void sessionStarted(long timestampNanos) {
        if (!uncut) {
            cutFrom = Math.max(cutFrom, TimestampMath.saturatedAdd(timestampNanos, cut.fromNanos()));
            cutTo = TimestampMath.saturatedAdd(timestampNanos, cut.toNanos());
        }
    }

    /** Whether no time but those of the session opens or closes a window. */
    public boolean isUncut() {
        return uncut;
    }

    /** Opens or closes the window where the cut begins or ends; to be called with the timestamp of every event. */
    public void advance(long timestampNanos) {
        if (uncut || !wanted) {
            return;
        }
        if (!isOpen() && timestampNanos >= cutFrom && timestampNanos < cutTo) {
            open(Math.max(wantedSince, cutFrom));
        } else if (isOpen() && timestampNanos >= cutTo) {
            stamp.window = SampleContext.NONE;
        }
    }

    /** Whether a sample issued at a time is tracked. */
    public boolean takes(long issuedNanos) {
        return isOpen() && (uncut || (issuedNanos >= cutFrom && issuedNanos < cutTo));
    }

    /** Opens a window, with a cut only within it; returns false if the events have one open. */
    public boolean start(long timestampNanos) {
        if (uncut ? isOpen() : wanted) {
            return false;
        }
        if (!stamp.everTracked) {
            stamp.everTracked = true;
            stamp.trackedFromNanos = timestampNanos;
        }
        if (uncut) {
            open(timestampNanos);
            return true;
        }
        if (!everWanted) {
            everWanted = true;
            cutFrom = Math.max(cutFrom, TimestampMath.saturatedAdd(timestampNanos, cut.warmupNanos()));
        }
        wanted = true;
        wantedSince = timestampNanos;
        advance(timestampNanos);
        return true;
    }

    private void open(long timestampNanos) {
        stamp.window = opened++;
        stamp.windowStartNanos = timestampNanos;
    }

    /** Closes the open window; returns false if the events have none open. */
    public boolean stop() {
        if (uncut ? !isOpen() : !wanted) {
            return false;
        }
        wanted = false;
        stamp.window = SampleContext.NONE;
        return true;
    }
}
