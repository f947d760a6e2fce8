package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.WindowsPart;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The completions of the samples of tracked windows, and the window of LoadGen. A tracked window lasts from its start to the last completion among its
 * samples. Windows that are closed and have no sample in flight are added up and their slots reused. Belongs to the thread of the fold; allocates only
 * when more windows than ever have samples in flight.
 */
public final class WindowSums {
    private static final int NONE = -1;
    private static final int FINISHED_MAX = 1024;

    private long[] number = new long[4];
    private long[] start = new long[4];
    private long[] lastCompletion = new long[4];
    private long[] inFlight = new long[4];
    private boolean[] completed = new boolean[4];
    private int[] freeSlots = new int[4];
    private int freeCount;
    private int slots;
    /** Number of the open window, and its slot; −1 for none. */
    private long window = SampleContext.NONE;

    private int open = NONE;
    private long finishedNanos;
    /** Number, start and last completion of each finished window, in turn; further windows than these are only added up. */
    private long[] finished = new long[12];

    private int finishedCount;
    private boolean finishedLost;

    private boolean anyIssued;
    private long firstIssuedPosition;
    private long firstIssuedNanos;
    private boolean anyCompleted;
    private long lastIssuedNanos;
    private long lastIssuedPosition;
    private long lastIssuedCompletionNanos;

    /** Closes the open window and opens another as the run did; to be called before samples are issued or complete, and before sums are read. */
    public void follow(SampleContext stamp) {
        if (stamp.window != window) {
            move(stamp);
        }
    }

    private void move(SampleContext stamp) {
        int closed = open;
        open = NONE;
        window = stamp.window;
        if (closed != NONE) {
            finishIfDone(closed);
        }
        if (window != SampleContext.NONE) {
            open = slotOf(window, stamp.windowStartNanos);
        }
    }

    /** A slot for a new window. */
    private int slotOf(long ofNumber, long startNanos) {
        int slot = freeCount > 0 ? freeSlots[--freeCount] : slots++;
        if (slot == start.length) {
            int larger = 2 * slot;
            number = Arrays.copyOf(number, larger);
            start = Arrays.copyOf(start, larger);
            lastCompletion = Arrays.copyOf(lastCompletion, larger);
            inFlight = Arrays.copyOf(inFlight, larger);
            completed = Arrays.copyOf(completed, larger);
            freeSlots = Arrays.copyOf(freeSlots, larger);
        }
        number[slot] = ofNumber;
        start[slot] = startNanos;
        inFlight[slot] = 0;
        completed[slot] = false;
        return slot;
    }

    /** Slot of the open window; −1 without one. */
    public int open() {
        return open;
    }

    /** Counts a sample issued in the open window. */
    public void issued(long timestampNanos, long position) {
        inFlight[open]++;
        if (!anyIssued) {
            anyIssued = true;
            firstIssuedPosition = position;
            firstIssuedNanos = timestampNanos;
        }
    }

    /** Takes a sample out of a window without completing it: it was issued again in another, or was evicted. */
    public void left(int slot) {
        inFlight[slot]--;
        finishIfDone(slot);
    }

    /** Completes a sample of a window. */
    public void completed(int slot, long issuedNanos, long timestampNanos, long position) {
        if (!completed[slot] || timestampNanos > lastCompletion[slot]) {
            completed[slot] = true;
            lastCompletion[slot] = timestampNanos;
        }
        if (!anyCompleted || issuedNanos > lastIssuedNanos) {
            anyCompleted = true;
            lastIssuedNanos = issuedNanos;
            lastIssuedPosition = position;
            lastIssuedCompletionNanos = timestampNanos;
        }
        left(slot);
    }

    private void finishIfDone(int slot) {
        if (slot != open && inFlight[slot] == 0) {
            keep(slot);
            finishedNanos = TimestampMath.saturatedAdd(finishedNanos, duration(slot));
            completed[slot] = false;
            start[slot] = 0;
            freeSlots[freeCount++] = slot;
        }
    }

    private void keep(int slot) {
        if (!completed[slot] || lastCompletion[slot] < start[slot]) {
            return;
        }
        if (finishedCount == FINISHED_MAX) {
            finishedLost = true;
            return;
        }
        int at = 3 * finishedCount++;
        if (at == finished.length) {
            finished = Arrays.copyOf(finished, 2 * finished.length);
        }
        finished[at] = number[slot];
        finished[at + 1] = start[slot];
        finished[at + 2] = lastCompletion[slot];
    }

    /** Copies the windows with a completion, each from its start to its last completion; empty if there were more than {@value #FINISHED_MAX}. */
    public List<TimeSpan> spans() {
        List<TimeSpan> spans = new ArrayList<>();
        if (finishedLost) {
            return spans;
        }
        for (int i = 0; i < finishedCount; i++) {
            spans.add(new TimeSpan(finished[3 * i + 1], finished[3 * i + 2]));
        }
        for (int slot = 0; slot < slots; slot++) {
            if (completed[slot] && lastCompletion[slot] >= start[slot]) {
                spans.add(new TimeSpan(start[slot], lastCompletion[slot]));
            }
        }
        return spans;
    }

    private long duration(int slot) {
        return completed[slot] ? Math.max(0, TimestampMath.saturatedBetween(start[slot], lastCompletion[slot])) : 0;
    }

    /** Returns the sum of the durations of all windows so far, in nanoseconds. Saturates. */
    public long trackedNanos() {
        long sum = finishedNanos;
        for (int slot = 0; slot < slots; slot++) {
            sum = TimestampMath.saturatedAdd(sum, duration(slot));
        }
        return sum;
    }

    /** Returns the duration from the first tracked issue to the completion of the last-issued sample among those completed. */
    public long loadgenNanos() {
        return anyCompleted
                ? Math.max(0, TimestampMath.saturatedBetween(firstIssuedNanos, lastIssuedCompletionNanos))
                : 0;
    }

    /**
     * Copies the windows with a completion and the moments from which the durations follow.
     *
     * @param succeeded from the first issue to the last completion of successes; null before the first
     */
    public WindowsPart part(WindowsPart.@Nullable Span succeeded) {
        List<WindowsPart.Window> listed = new ArrayList<>();
        long rest = trackedNanos();
        if (!finishedLost) {
            for (int i = 0; i < finishedCount; i++) {
                listed.add(new WindowsPart.Window(finished[3 * i], finished[3 * i + 1], finished[3 * i + 2]));
            }
            for (int slot = 0; slot < slots; slot++) {
                if (completed[slot]) {
                    listed.add(new WindowsPart.Window(number[slot], start[slot], lastCompletion[slot]));
                }
            }
            listed.sort(Comparator.comparingLong(WindowsPart.Window::number));
            rest = 0;
        }
        return new WindowsPart(
                listed,
                rest,
                anyIssued ? new WindowsPart.Issue(firstIssuedPosition, firstIssuedNanos) : null,
                anyCompleted
                        ? new WindowsPart.Completion(lastIssuedPosition, lastIssuedNanos, lastIssuedCompletionNanos)
                        : null,
                succeeded);
    }
}
