package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.row.HotRows;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.steady.SliceTable;

/**
 * Applies the chunks of frames as {@link LoadgenFold} does their events, but most of them without an event: those of a frame have one sender, and
 * their samples are those that {@link HotRows} has. A chunk of a sample that is not in flight becomes an event.
 * Belongs to the thread of the fold; allocates only as those do.
 */
public final class ChunkRun {
    private final LoadgenFold fold;
    private final ChunkFrames chunks;
    private final HotRows hot;
    private final LabelFold labels;
    private final SliceTable slices;
    private final DecodedEvent[] event = {new DecodedEvent()};
    private final long[] gapNanos = new long[ChunkFrames.AHEAD_MAX];
    private final int[] rows = new int[ChunkFrames.AHEAD_MAX];

    private long newest;
    private long last;

    /**
     * A run of chunks.
     *
     * @param chunks the frames, whose records of first chunks come to {@link #bind}
     */
    public ChunkRun(LoadgenFold fold, ChunkFrames chunks) {
        this.fold = fold;
        this.chunks = chunks;
        this.hot = fold.table.hot();
        this.labels = fold.optional.labels;
        this.slices = fold.slices;
    }

    /** Takes the handle of a decoded record, as {@link ChunkFrames#bind} does. */
    public boolean bind(DecodedEvent record) {
        boolean bound = chunks.bind(record);
        fold.table.settle(chunks.producer(record), record.handle());
        return bound;
    }

    /**
     * Applies the chunks of the frame, which is open and before its first chunk.
     *
     * @param receivedNanos monotonic time of receipt
     * @return the number of chunks whose handle stands for no sample
     */
    public long apply(long receivedNanos) {
        long unknown = 0;
        chunks.read(event[0]);
        fold.progress.received(receivedNanos);
        fold.head.sentBy(event[0]);
        while (chunks.hasNext()) {
            if (!fold.head.admitsRuns() || !applyRun()) {
                chunks.next(event[0]);
                unknown += event[0].idKind() == IdKind.EMPTY ? 1 : 0;
                fold.apply(event, 1, receivedNanos);
            }
        }
        return unknown;
    }

    /**
     * Applies chunks up to one that needs more than the time of the chunk before: of a sample that is not in flight, or at a time without a slice so far.
     * What the fold counts and compares for each of them is done once, with the last.
     *
     * @return whether any was applied
     */
    private boolean applyRun() {
        long first = chunks.sequence();
        newest = Long.MIN_VALUE;
        long applied = 0;
        try {
            int taken = take();
            while (taken > 0) {
                applied += taken;
                taken = take();
            }
        } finally {
            long admitted = chunks.sequence() - first;
            if (admitted > 0) {
                fold.head.admitRun(first, admitted, chunks.life(), newest);
                fold.samples.appliedNext(applied, last);
            }
        }
        return applied > 0;
    }

    /** Applies the next chunks of samples in flight, and moves behind them; returns how many. */
    private int take() {
        if (!chunks.hasNext()) {
            return 0;
        }
        chunks.readAhead();
        boolean current = slices.isCurrent(chunks.nanosAhead(0));
        long from = current ? slices.currentFromNanos() : slices.fromNanos();
        long to = current ? slices.currentToNanos() : slices.toNanos();
        // A time that is not positive is no word of a sample that chunks came of.
        long positive = Math.max(1, from);
        int size = hot.take(chunks, positive, to, gapNanos);
        if (size == 0 && insertNext()) {
            size = hot.take(chunks, positive, to, gapNanos);
        }
        if (size > 0) {
            newest = Math.max(newest, hot.latest());
            last = chunks.nanosAhead(size - 1);
            countInSlices(size, current);
            int answered = labels.rowsNeeded(size, hot.areAlike());
            for (int i = 0; i < answered; i++) {
                rows[i] = hot.row(chunks.producer(), chunks.handleAhead(i));
            }
            if (chunks.hasKeys()) {
                applyKeys(size);
            }
            chunks.skip(size);
            labels.answered(rows, answered);
            fold.samples.firstChunks.next(gapNanos, hot.gaps());
        }
        return size;
    }

    /** Applies the tokens and parts of the chunks taken. */
    private void applyKeys(int size) {
        int tracked = 0;
        for (int i = 0; i < size; i++) {
            chunks.readKeys(i, event[0]);
            int row = hot.row(chunks.producer(), chunks.handleAhead(i));
            // There are gaps of tracked samples only.
            long gap = fold.table.isTracked(row) ? gapNanos[tracked++] : 0;
            fold.samples.firstChunks.keys(event[0], row, gap);
        }
    }

    private void countInSlices(int size, boolean current) {
        if (current) {
            slices.record(slices.current(), size);
            return;
        }
        for (int i = 0; i < size; i++) {
            slices.record(slices.find(chunks.nanosAhead(i)));
        }
    }

    /** Makes the sample of the next chunk a hot one, if it is in flight; returns whether it is. */
    private boolean insertNext() {
        chunks.read(event[0]);
        int row = fold.table.find(event[0]);
        return row != InFlightTable.NONE && fold.table.makeHot(row, chunks.producer(), chunks.handleAhead(0));
    }
}
