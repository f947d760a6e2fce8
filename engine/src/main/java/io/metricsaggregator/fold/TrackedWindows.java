package io.metricsaggregator.fold;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.WindowsPart;
import io.metricsaggregator.snapshot.TimeSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The performance-tracked windows of a run, and the window of LoadGen. A tracked window ("block" in the reference) lasts from its start
 * to the last completion among its samples. Windows that are closed and have no sample in flight are added up and their slots reused.
 * Belongs to the thread of the fold; allocates only when more windows than ever have samples in flight.
 */
final class TrackedWindows {
    static final int NONE = -1;
    private static final int FINISHED_MAX = 1024;

    private long[] start = new long[4];
    private long[] lastCompletion = new long[4];
    private long[] inFlight = new long[4];
    private boolean[] completed = new boolean[4];
    private int[] freeSlots = new int[4];
    private int freeCount;
    private int slots;
    private int open = NONE;
    private long finishedNanos;
    /** Start and last completion of each finished block, in turn; further blocks than these are only added up. */
    private long[] finished = new long[8];

    private int finishedCount;
    private boolean finishedLost;

    private boolean everStarted;
    private long firstStartNanos;
    private boolean anyIssued;
    private long firstIssuedNanos;
    private boolean anyCompleted;
    private long lastIssuedNanos;
    private long lastIssuedCompletionNanos;

    private final TimeCut cut;
    private final boolean uncut;
    /** With a cut: the range of issue times that are tracked, and whether the session's events have a block open. */
    private long cutFrom = Long.MIN_VALUE;

    private long cutTo = Long.MAX_VALUE;
    private boolean wanted;
    private boolean everWanted;
    private long wantedSince;

    TrackedWindows(TimeCut cut) {
        this.cut = cut;
        this.uncut = cut.equals(TimeCut.NONE);
    }

    /** Sets the start of the session, from which the times of the cut count. */
    void sessionStarted(long timestampNanos) {
        if (!uncut) {
            cutFrom = Math.max(cutFrom, TimestampMath.saturatedAdd(timestampNanos, cut.fromNanos()));
            cutTo = TimestampMath.saturatedAdd(timestampNanos, cut.toNanos());
        }
    }

    /** Opens or closes the block where the cut begins or ends; to be called with the timestamp of every event. */
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

    /** Whether a sample issued at a time is tracked. */
    boolean takes(long issuedNanos) {
        return open != NONE && (uncut || (issuedNanos >= cutFrom && issuedNanos < cutTo));
    }

    /** Whether tracking had begun by a time, whether or not a block was open then. */
    boolean hadBegun(long timestampNanos) {
        return everStarted && timestampNanos >= firstStartNanos;
    }

    /** Returns the open block, or {@link #NONE}. */
    int open() {
        return open;
    }

    /** Opens a block, with a cut only within it; returns false if the events have one open. */
    boolean start(long timestampNanos) {
        if (uncut ? open != NONE : wanted) {
            return false;
        }
        if (!everStarted) {
            everStarted = true;
            firstStartNanos = timestampNanos;
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

    /** Closes the open block; returns false if the events have none open. */
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

    /** Counts a sample issued in the open block. */
    void issued(long timestampNanos) {
        inFlight[open]++;
        if (!anyIssued) {
            anyIssued = true;
            firstIssuedNanos = timestampNanos;
        }
    }

    /** Takes a sample out of a block without completing it: it was issued again in another, or was evicted. */
    void left(int block) {
        inFlight[block]--;
        finishIfDone(block);
    }

    /** Completes a sample of a block. */
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
            keep(block);
            finishedNanos = TimestampMath.saturatedAdd(finishedNanos, duration(block));
            completed[block] = false;
            start[block] = 0;
            freeSlots[freeCount++] = block;
        }
    }

    private void keep(int block) {
        if (!completed[block] || lastCompletion[block] < start[block]) {
            return;
        }
        if (finishedCount == FINISHED_MAX) {
            finishedLost = true;
            return;
        }
        if (2 * finishedCount == finished.length) {
            finished = Arrays.copyOf(finished, 2 * finished.length);
        }
        finished[2 * finishedCount] = start[block];
        finished[2 * finishedCount + 1] = lastCompletion[block];
        finishedCount++;
    }

    /** Copies the blocks with a completion, each from its start to its last completion; empty if there were more than {@value #FINISHED_MAX}. */
    List<TimeSpan> spans() {
        List<TimeSpan> spans = new ArrayList<>();
        if (finishedLost) {
            return spans;
        }
        for (int i = 0; i < finishedCount; i++) {
            spans.add(new TimeSpan(finished[2 * i], finished[2 * i + 1]));
        }
        for (int block = 0; block < slots; block++) {
            if (completed[block] && lastCompletion[block] >= start[block]) {
                spans.add(new TimeSpan(start[block], lastCompletion[block]));
            }
        }
        return spans;
    }

    private long duration(int block) {
        return completed[block] ? Math.max(0, TimestampMath.saturatedBetween(start[block], lastCompletion[block])) : 0;
    }

    /** Returns the sum of the durations of all blocks so far, in nanoseconds. Saturates. */
    long trackedNanos() {
        long sum = finishedNanos;
        for (int block = 0; block < slots; block++) {
            sum = TimestampMath.saturatedAdd(sum, duration(block));
        }
        return sum;
    }

    /**
     * Copies the windows. They have the numbers in which they are listed, and what came first has position 0: the part is of a whole run.
     *
     * @param succeeded from the first issue to the last completion of successes; null before the first
     */
    WindowsPart part(WindowsPart.@Nullable Span succeeded) {
        List<WindowsPart.Window> listed = new ArrayList<>();
        long rest = trackedNanos();
        if (!finishedLost) {
            for (TimeSpan each : spans()) {
                listed.add(new WindowsPart.Window(listed.size(), each.fromNanos(), each.toNanos()));
            }
            rest = 0;
        }
        return new WindowsPart(
                listed,
                rest,
                anyIssued ? new WindowsPart.Issue(0, firstIssuedNanos) : null,
                anyCompleted ? new WindowsPart.Completion(0, lastIssuedNanos, lastIssuedCompletionNanos) : null,
                succeeded);
    }

    /** Returns the duration from the first tracked issue to the completion of the last-issued sample among those completed. */
    long loadgenNanos() {
        return anyCompleted
                ? Math.max(0, TimestampMath.saturatedBetween(firstIssuedNanos, lastIssuedCompletionNanos))
                : 0;
    }
}
