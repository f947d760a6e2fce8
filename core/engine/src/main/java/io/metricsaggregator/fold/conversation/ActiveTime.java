package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.event.TimestampMath;
import org.jspecify.annotations.Nullable;

/**
 * How many conversations were active, over time. A timestamp before an earlier one counts as that one. Belongs to the thread of the fold; allocates nothing.
 */
final class ActiveTime {
    private static final double NANOS_PER_SECOND = 1e9;

    private boolean any;
    private long firstNanos;
    private long lastNanos;
    private long active;
    private long peak;
    /** Sum of the times of all conversations; saturates, such as after 25 hours with 100 000 conversations. */
    private long sumNanos;

    /** Counts a conversation whose first turn in flight is issued. */
    void activated(long now) {
        passed(now);
        active++;
        peak = Math.max(peak, active);
    }

    /** Counts a conversation whose last turn in flight completed. */
    void deactivated(long now) {
        passed(now);
        active--;
    }

    /** Lets time pass until {@code now}. */
    void passed(long now) {
        if (!any) {
            any = true;
            firstNanos = now;
            lastNanos = now;
        }
        if (now > lastNanos) {
            sumNanos = sumUntil(now);
            lastNanos = now;
        }
    }

    private long sumUntil(long now) {
        long span = TimestampMath.saturatedBetween(lastNanos, now);
        long product = active * span;
        boolean overflows = Math.multiplyHigh(active, span) != 0 || product < 0;
        return TimestampMath.saturatedAdd(sumNanos, overflows ? Long.MAX_VALUE : product);
    }

    long active() {
        return active;
    }

    long peak() {
        return peak;
    }

    /** The end of the time: the last completion, or {@code newestNanos} while a conversation is active. */
    private long end(long newestNanos) {
        return active > 0 ? Math.max(lastNanos, newestNanos) : lastNanos;
    }

    /** The mean over time; null before any time has passed. */
    @Nullable
    Double mean(long newestNanos) {
        long end = end(newestNanos);
        long span = TimestampMath.saturatedBetween(firstNanos, end);
        return span <= 0 ? null : (Double) ((double) sumUntil(end) / (double) span);
    }

    /** A count per second of the same time; null before any has passed. */
    @Nullable
    Double perSecond(long count, long newestNanos) {
        long span = TimestampMath.saturatedBetween(firstNanos, end(newestNanos));
        return span <= 0 ? null : (Double) (count * NANOS_PER_SECOND / span);
    }
}
