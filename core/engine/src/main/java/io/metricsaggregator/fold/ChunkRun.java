package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.registry.LongSeries;

/**
 * Applies the chunks of a frame as {@link LoadgenFold} does their events, but most of them without an event: their sender is that of the chunk before, and
 * their row is the one that their handle had before, if it is still of the same sample. A frame's first chunk, and one of a sample that is not in flight, become events.
 * Belongs to the thread of the fold; allocates nothing.
 */
public final class ChunkRun {
    private static final int BLOCK = LongSeries.BLOCK;

    private final LoadgenFold fold;
    private final DecodedEvent[] event = {new DecodedEvent()};
    private final int[] rows = new int[BLOCK];
    private final long[] times = new long[BLOCK];
    private final long[] befores = new long[BLOCK];
    /** The slices of the chunks found, unless all are of the current one. */
    private final int[] slices = new int[BLOCK];

    private boolean areCurrent;
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
     * Applies chunks up to one that needs more than their rows: of a sample that is not in flight, at a time without a slice so far, or while the tracked
     * window begins and ends by time. What the fold counts and compares for each of them is done once, with the last.
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
            int wanted = 1;
            do {
                wanted = Math.min(2 * wanted, BLOCK);
                size = find(chunks, wanted);
                fold.samples.firstChunks.next(rows, size, times, befores);
                countInSlices(size);
                applied += size;
            } while (size == wanted);
        } finally {
            long taken = chunks.sequence() - first;
            if (taken > 0) {
                fold.head.admitRun(first, taken, chunks.life(), newest);
                fold.samples.appliedNext(applied, last);
            }
        }
        return applied > 0;
    }

    /** Takes at most {@code wanted} of the next chunks, of samples in flight, and notes their rows and times; returns how many. */
    private int find(ChunkFrames chunks, int wanted) {
        InFlightTable table = fold.table;
        int size = chunks.ahead(times, befores, wanted);
        long earliest = Long.MAX_VALUE;
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            int row = table.isAt(befores[i]) ? (int) befores[i] : look(chunks, i);
            if (row == InFlightTable.NONE) {
                size = i;
                break;
            }
            rows[i] = row;
            earliest = Math.min(earliest, times[i]);
            latest = Math.max(latest, times[i]);
        }
        areCurrent = size > 0 && fold.slices.isCurrent(earliest) && fold.slices.isCurrent(latest);
        if (areCurrent) {
            newest = Math.max(newest, latest);
        } else {
            size = findSlices(size);
        }
        chunks.skip(size);
        if (size > 0) {
            last = times[size - 1];
        }
        return size;
    }

    /** Finds the slices of the chunks found, up to one without; returns how many those are. */
    private int findSlices(int size) {
        for (int i = 0; i < size; i++) {
            slices[i] = fold.slices.find(times[i]);
            if (slices[i] == SampleContext.NONE) {
                return i;
            }
            newest = Math.max(newest, times[i]);
        }
        return size;
    }

    private void countInSlices(int size) {
        if (areCurrent) {
            fold.slices.record(fold.slices.current(), size);
            return;
        }
        for (int i = 0; i < size; i++) {
            fold.slices.record(slices[i]);
        }
    }

    /** Finds the row of a chunk's sample by its id, and notes its place; {@link InFlightTable#NONE} if there is none. */
    private int look(ChunkFrames chunks, int ahead) {
        chunks.read(ahead, event[0]);
        int row = fold.table.find(event[0]);
        if (row != InFlightTable.NONE) {
            chunks.place(ahead, fold.table.place(row));
        }
        return row;
    }
}
