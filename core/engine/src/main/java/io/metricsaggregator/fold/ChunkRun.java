package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.steady.SliceTable;
import io.metricsaggregator.registry.LongSeries;

/**
 * Applies the chunks of a frame as {@link LoadgenFold} does their events, but most of them without an event: their sender is that of the chunk before, and
 * their row is the one that their handle had before, if it still has the id. A frame's first chunk, and one of a sample that is not in flight or has a long id, become events.
 * Belongs to the thread of the fold; allocates nothing.
 */
public final class ChunkRun {
    private static final int BLOCK = LongSeries.BLOCK;

    private final LoadgenFold fold;
    private final DecodedEvent[] event = {new DecodedEvent()};
    private final int[] rows = new int[BLOCK];
    private final long[] times = new long[BLOCK];
    private final long[] befores = new long[BLOCK];
    private long newest;
    private long last;

    public ChunkRun(LoadgenFold fold) {
        this.fold = fold;
    }

    /**
     * Applies the chunks of an opened frame that {@linkplain ChunkFrames#isPlain is plain}.
     *
     * @param receivedNanos monotonic time of receipt
     * @return the number of chunks whose handle stands for no sample
     */
    public long apply(ChunkFrames chunks, long receivedNanos) {
        long unknown = 0;
        boolean admitted = false;
        while (chunks.hasNext()) {
            if (!admitted || !applyRun(chunks)) {
                chunks.next(event[0]);
                unknown += event[0].idKind() == IdKind.EMPTY ? 1 : 0;
                fold.apply(event, 1, receivedNanos);
                admitted = !fold.isEnded();
            }
        }
        return unknown;
    }

    /**
     * Applies chunks up to one that needs more than their rows: of a sample that is not in flight, at a time in another slice, or while the tracked window
     * begins and ends by time. What the fold counts and compares for each of them is done once, with the last.
     *
     * @return whether any was applied
     */
    private boolean applyRun(ChunkFrames chunks) {
        if (!fold.head.isUncut()) {
            return false;
        }
        long first = chunks.sequence();
        newest = Long.MIN_VALUE;
        long applied = 0;
        try {
            int size;
            do {
                size = find(chunks);
                fold.samples.firstChunks.next(rows, size, times, befores);
                applied += size;
            } while (size == BLOCK);
        } finally {
            long taken = chunks.sequence() - first;
            if (taken > 0) {
                fold.head.admitRun(first, taken, chunks.life(), newest);
                fold.samples.appliedNext(applied, last);
                fold.slices.record(fold.head.stamp.slice, applied);
            }
        }
        return applied > 0;
    }

    /** Takes the next chunks of samples in flight, at most a block, and notes their rows and times; returns how many. */
    private int find(ChunkFrames chunks) {
        InFlightTable table = fold.table;
        SliceTable slices = fold.slices;
        long most = newest;
        int size = 0;
        while (size < BLOCK && chunks.hasNext() && chunks.isPacked()) {
            long now = chunks.nanos();
            int hint = chunks.hint();
            // A hint of 0 is none.
            int row = table.find(chunks.idKind(), chunks.idHigh(), chunks.idLow(), hint - 1);
            if (row == InFlightTable.NONE || !slices.isCurrent(now)) {
                break;
            }
            if (row != hint - 1) {
                chunks.hint(row + 1);
            }
            most = Math.max(most, now);
            rows[size] = row;
            times[size] = now;
            size++;
            chunks.skip();
        }
        if (size > 0) {
            newest = most;
            last = times[size - 1];
        }
        return size;
    }
}
