package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.SampleContext;

/**
 * Applies the chunks of a frame as {@link LoadgenFold} does their events, but most of them without an event: their sender is that of the chunk before, and
 * their row is the one that their handle had before, if it still has the id. A frame's first chunk, and one of a sample that is not in flight or has a long id, become events.
 * Belongs to the thread of the fold; allocates nothing.
 */
public final class ChunkRun {
    private final LoadgenFold fold;
    private final DecodedEvent[] event = {new DecodedEvent()};

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
            if (!admitted || !applyNext(chunks)) {
                chunks.next(event[0]);
                unknown += event[0].idKind() == IdKind.EMPTY ? 1 : 0;
                fold.apply(event, 1, receivedNanos);
                admitted = !fold.isEnded();
            }
        }
        return unknown;
    }

    private boolean applyNext(ChunkFrames chunks) {
        if (!chunks.isPacked()) {
            return false;
        }
        // A hint of 0 is none.
        int row = fold.table.find(chunks.idKind(), chunks.idHigh(), chunks.idLow(), chunks.hint() - 1);
        if (row == InFlightTable.NONE) {
            return false;
        }
        chunks.hint(row + 1);
        long now = chunks.nanos();
        fold.head.admitNext(now, chunks.sequence(), chunks.life());
        fold.samples.receivedNext(row, now, null);
        fold.head.passed(now);
        int slice = fold.head.stamp.slice;
        if (slice != SampleContext.NONE) {
            fold.slices.record(slice);
        }
        chunks.skip();
        return true;
    }
}
