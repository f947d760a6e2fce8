package io.metricsaggregator.fold.label;

import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;

/**
 * The wait for an answer of one target among several: a value of a label. Times are of receipt, on the daemon's monotonic clock. Belongs to the
 * thread of the fold; allocates nothing but the summary.
 */
final class IdleSpan {
    private long baseNanos;
    private long longest;
    private long stalls;
    private long stalledNanos;

    /** Starts to wait: the first sample was issued. */
    void begin(long nowNanos) {
        baseNanos = nowNanos;
    }

    /** Notes an answer. */
    void answered(ProgressFold progress) {
        long now = progress.nowNanos();
        if (now != baseNanos) {
            end(now, progress);
            baseNanos = now;
        }
    }

    /** Ends the wait at {@code toNanos}, and counts it as a stall if it was one; the next begins with {@link #begin}. */
    void end(long toNanos, ProgressFold progress) {
        if (progress.isGone()) {
            return;
        }
        long idle = Math.max(0, toNanos - baseNanos);
        longest = Math.max(longest, idle);
        if (progress.isStall(idle)) {
            stalls++;
            stalledNanos += idle;
        }
    }

    /** Lets the wait begin at {@code nowNanos} if it began before. */
    void beginAgain(long nowNanos) {
        baseNanos = Math.max(baseNanos, nowNanos);
    }

    /** The figures at the present time of {@code progress}. */
    Progress.Target summary(boolean hasInFlight, ProgressFold progress) {
        if (!hasInFlight) {
            return new Progress.Target(ProgressState.IDLE, null, longest, stalls, stalledNanos);
        }
        long idle = Math.max(0, progress.nowNanos() - baseNanos);
        boolean stalled = progress.isStall(idle);
        return new Progress.Target(
                stalled
                        ? ProgressState.STALLED
                        : progress.isExcused(idle) ? ProgressState.CLIENT_GONE : ProgressState.OK,
                idle,
                Math.max(longest, idle),
                stalls + (stalled ? 1 : 0),
                stalledNanos + (stalled ? idle : 0));
    }
}
