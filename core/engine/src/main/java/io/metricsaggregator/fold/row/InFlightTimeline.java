package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.TimestampMath;
import java.util.Arrays;

/**
 * Samples in flight over the time of events, whatever the order in which the events arrive: producers that report a sample once it has ended send its
 * issue late. The newest changes are kept until they settle into the slices in the order of their times, half of them at once. A change older than those that
 * have settled moves the levels of the slices from its own on; only the peak within its slice is then a lower bound. Belongs to the thread of the fold; allocates only to grow.
 */
public final class InFlightTimeline {
    /** Changes that are kept; half as many may always separate an event from its place in time. */
    static final int PENDING_MAX = 1 << 15;

    /** Lateness of an issue beyond which its clock is absurd: one hour. */
    private static final long LATE_MAX_NANOS = 3_600_000_000_000L;
    /** Issues that arrive later than this share of the time in flight, on average, are sent once their samples have ended. */
    private static final double AFTERWARDS_SHARE = 0.25;

    private final Slicing slices;
    private final Levels settled;
    private final Levels shown;
    private final TimedChanges pending = new TimedChanges();
    /** Whether {@link #shown} lacks a change. */
    private boolean stale;

    private long settledNanos = Long.MIN_VALUE;
    private long previousNanos = Long.MAX_VALUE;
    private double lateNanos;

    /** The slices of a run, by time. */
    public interface Slicing {
        /** Returns the slice that holds a time; −1 if none does. */
        int find(long nanos);
    }

    /** A timeline without changes over at most {@code most} slices. */
    public InFlightTimeline(Slicing slices, int most) {
        this.slices = slices;
        this.settled = new Levels(most);
        this.shown = new Levels(most);
    }

    /** Levels by slice, up to a point in time. */
    private static final class Levels {
        private final long[] ends;
        private final long[] most;
        /** The last slice that has its level. */
        private int filled = -1;

        private long level;
        /** The highest level at a time outside the slices. */
        private long mostOutside;

        private long lastNanos = Long.MAX_VALUE;
        /** Sum of the times that samples were in flight. */
        private double areaNanos;

        Levels(int slices) {
            ends = new long[slices];
            most = new long[slices];
        }

        void copy(Levels other) {
            System.arraycopy(other.ends, 0, ends, 0, other.filled + 1);
            System.arraycopy(other.most, 0, most, 0, other.filled + 1);
            filled = other.filled;
            level = other.level;
            mostOutside = other.mostOutside;
            lastNanos = other.lastNanos;
            areaNanos = other.areaNanos;
        }

        void fill(int slice) {
            while (filled < slice) {
                filled++;
                ends[filled] = level;
                most[filled] = level;
            }
        }

        void change(int slice, long nanos, long by) {
            fill(slice);
            if (nanos > lastNanos) {
                areaNanos += (double) Math.max(0, level) * TimestampMath.saturatedBetween(lastNanos, nanos);
            }
            lastNanos = nanos;
            level += by;
            if (slice == SampleContext.NONE) {
                mostOutside = Math.max(mostOutside, level);
            } else {
                ends[slice] = level;
                most[slice] = Math.max(most[slice], level);
            }
        }

        /** Takes a change that lies before the last one. */
        void changeEarlier(int slice, long by) {
            level += by;
            for (int i = Math.max(0, slice); i <= filled; i++) {
                ends[i] += by;
                most[i] = i == slice ? Math.max(most[i], ends[i]) : most[i] + by;
            }
        }

        void join() {
            for (int i = 0; 2 * i <= filled; i++) {
                int second = Math.min(2 * i + 1, filled);
                ends[i] = ends[second];
                most[i] = Math.max(most[2 * i], most[second]);
            }
            filled = filled < 0 ? -1 : filled / 2;
        }

        long peak() {
            long peak = mostOutside;
            for (int i = 0; i <= filled; i++) {
                peak = Math.max(peak, most[i]);
            }
            return peak;
        }
    }

    /**
     * Takes a change of the number of samples in flight.
     *
     * @param nanos when the samples were issued or left, on the producer's clock
     */
    public void changed(long nanos, int by) {
        if (by == 0) {
            return;
        }
        if (by > 0 && nanos < previousNanos && previousNanos != Long.MAX_VALUE) {
            lateNanos += Math.min(LATE_MAX_NANOS, TimestampMath.saturatedBetween(nanos, previousNanos));
        }
        previousNanos = nanos;
        stale = true;
        if (pending.size() == PENDING_MAX) {
            settle(PENDING_MAX / 2);
        }
        if (nanos < settledNanos) {
            settled.changeEarlier(slices.find(nanos), by);
        } else {
            pending.add(nanos, by);
        }
    }

    /** Settles the earliest changes that are kept. */
    private void settle(int count) {
        pending.sort();
        apply(settled, count);
        settledNanos = pending.nanos(count - 1);
        pending.removeFirst(count);
    }

    private void apply(Levels to, int count) {
        for (int i = 0; i < count; i++) {
            long nanos = pending.nanos(i);
            to.change(slices.find(nanos), nanos, pending.by(i));
        }
    }

    /** Joins slices two by two. */
    public void join() {
        settled.join();
        stale = true;
    }

    private Levels show() {
        if (stale) {
            stale = false;
            shown.copy(settled);
            pending.sort();
            apply(shown, pending.size());
        }
        return shown;
    }

    /** The most samples that were in flight at a time. */
    public long peak() {
        return show().peak();
    }

    /**
     * Whether issues arrive so late, compared with the time that samples are in flight, that producers must report samples once they have ended: nobody
     * can then know how many are in flight at present.
     */
    public boolean isSentAfterwards() {
        double area = show().areaNanos;
        return area > 0 && lateNanos > AFTERWARDS_SHARE * area;
    }

    /** The levels at the ends of the first {@code length} slices. */
    public long[] ends(int length) {
        Levels levels = show();
        levels.fill(length - 1);
        return notNegative(levels.ends, length);
    }

    /** The highest levels within the first {@code length} slices. */
    public long[] most(int length) {
        Levels levels = show();
        levels.fill(length - 1);
        return notNegative(levels.most, length);
    }

    private static long[] notNegative(long[] levels, int length) {
        long[] copy = Arrays.copyOf(levels, length);
        for (int i = 0; i < length; i++) {
            copy[i] = Math.max(0, copy[i]);
        }
        return copy;
    }
}
