package io.metricsaggregator.fold;

import java.util.Arrays;

/**
 * The performance-tracked blocks of a run, and the window of LoadGen. A block lasts from its start to the last completion among
 * its samples. Blocks that are closed and have no sample in flight are added up, so that the rest stays small.
 */
final class TrackedWindows {
    static final int NONE = -1;

    private long[] start = new long[4];
    private long[] lastCompletion = new long[4];
    private long[] inFlight = new long[4];
    private boolean[] completed = new boolean[4];
    private int[] freeSlots = new int[4];
    private int freeCount;
    private int slots;
    private int open = NONE;
    private long finishedNanos;

    private boolean anyIssued;
    private long firstIssuedNanos;
    private boolean anyCompleted;
    private long lastIssuedNanos;
    private long lastIssuedCompletionNanos;

    private final TimeCut cut;
    private final boolean uncut;
    /** With a cut: the times a sample must have been issued at, and whether the events say that a block is open. */
    private long cutFrom = Long.MIN_VALUE;

    private long cutTo = Long.MAX_VALUE;
    private boolean wanted;
    private boolean everWanted;
    private long wantedSince;

    TrackedWindows(TimeCut cut) {
        this.cut = cut;
        this.uncut = cut.equals(TimeCut.NONE);
    }

    /** Where the cut's times are counted from. */
    void sessionStarted(long timestampNanos) {
        if (!uncut) {
            cutFrom = Math.max(cutFrom, TimestampMath.saturatedAdd(timestampNanos, cut.fromNanos()));
            cutTo = TimestampMath.saturatedAdd(timestampNanos, cut.toNanos());
        }
    }

    /** Opens or closes the block where the cut begins or ends. To be told of every event's time. */
    void advance(long timestampNanos) {
        if (uncut || !wanted) {
            return;
        }
        if (open == NONE && timestampNanos >= cutFrom && timestampNanos < cutTo) {
            open(Math.max(wantedSince, cutFrom));
        } else if (open != NONE && timestampNanos >= cutTo) {
            close();
        }
    }

    /** Whether a sample issued then is tracked. */
    boolean takes(long issuedNanos) {
        return open != NONE && (uncut || (issuedNanos >= cutFrom && issuedNanos < cutTo));
    }

    /** The open block, or {@link #NONE}. */
    int open() {
        return open;
    }

    /** Opens a block; false if one is open. */
    boolean start(long timestampNanos) {
        if (uncut ? open != NONE : wanted) {
            return false;
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
        int slot = freeCount > 0 ? freeSlots[--freeCount] : slots++;
        if (slot == start.length) {
            int larger = 2 * slot;
            start = Arrays.copyOf(start, larger);
            lastCompletion = Arrays.copyOf(lastCompletion, larger);
            inFlight = Arrays.copyOf(inFlight, larger);
            completed = Arrays.copyOf(completed, larger);
            freeSlots = Arrays.copyOf(freeSlots, larger);
        }
        start[slot] = timestampNanos;
        inFlight[slot] = 0;
        completed[slot] = false;
        open = slot;
    }

    /** Closes the open block; false if none is open. */
    boolean stop() {
        if (uncut ? open == NONE : !wanted) {
            return false;
        }
        wanted = false;
        close();
        return true;
    }

    private void close() {
        int closed = open;
        open = NONE;
        if (closed != NONE) {
            finishIfDone(closed);
        }
    }

    /** A sample was issued in the open block. */
    void issued(long timestampNanos) {
        inFlight[open]++;
        if (!anyIssued) {
            anyIssued = true;
            firstIssuedNanos = timestampNanos;
        }
    }

    /** A sample left a block without completing in it: it moved to another, or its row was evicted. */
    void left(int block) {
        inFlight[block]--;
        finishIfDone(block);
    }

    /** A sample of a block completed. */
    void completed(int block, long issuedNanos, long timestampNanos) {
        if (!completed[block] || timestampNanos > lastCompletion[block]) {
            completed[block] = true;
            lastCompletion[block] = timestampNanos;
        }
        if (!anyCompleted || issuedNanos > lastIssuedNanos) {
            anyCompleted = true;
            lastIssuedNanos = issuedNanos;
            lastIssuedCompletionNanos = timestampNanos;
        }
        left(block);
    }

    private void finishIfDone(int block) {
        if (block != open && inFlight[block] == 0) {
            finishedNanos = TimestampMath.saturatedAdd(finishedNanos, duration(block));
            completed[block] = false;
            start[block] = 0;
            freeSlots[freeCount++] = block;
        }
    }

    private long duration(int block) {
        return completed[block] ? Math.max(0, TimestampMath.saturatedBetween(start[block], lastCompletion[block])) : 0;
    }

    /** Sum of the blocks' durations so far. */
    long trackedNanos() {
        long sum = finishedNanos;
        for (int block = 0; block < slots; block++) {
            sum = TimestampMath.saturatedAdd(sum, duration(block));
        }
        return sum;
    }

    /** From the first tracked issue to the completion of the sample, among those completed, that was issued last. */
    long loadgenNanos() {
        return anyCompleted
                ? Math.max(0, TimestampMath.saturatedBetween(firstIssuedNanos, lastIssuedCompletionNanos))
                : 0;
    }
}
