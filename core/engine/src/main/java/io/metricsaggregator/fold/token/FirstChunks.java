package io.metricsaggregator.fold.token;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.fold.series.StreamingSeries;
import io.metricsaggregator.fold.steady.SteadyBatches;
import org.jspecify.annotations.Nullable;

/**
 * Records what the first chunk of a tracked sample tells, in every place that reports times to first token: of all samples as chunks come, of
 * successes once they complete. It keeps beside the rows which attempt a first
 * chunk belongs to and which chunks came before it: a sample may be issued again after its first chunk, and have several first chunks. Belongs to the
 * thread of the fold; allocates only for such samples, to grow.
 */
public final class FirstChunks {
    private final LoadgenSeries series;
    private final InFlightTable table;
    private final SteadyBatches batches;
    private final OptionalFolds optional;
    /** Nanoseconds from the issue of the attempt that had the first chunk to the last issue. */
    private final RowColumn retried = new RowColumn();
    /** Nanoseconds from the first receipt to the last first chunk. */
    private final RowColumn leads = new RowColumn();
    /** Number of first chunks but for one. */
    private final RowColumn repeats = new RowColumn();
    /** Whether a row ever had a number other than 0. */
    private boolean seen;

    public FirstChunks(LoadgenSeries series, InFlightTable table, SteadyBatches batches, OptionalFolds optional) {
        this.series = series;
        this.table = table;
        this.batches = batches;
        this.optional = optional;
    }

    /** Records a first chunk, before its row has the time of the chunk, in the series that have those of all samples. */
    public void received(DecodedEvent event, StreamingSeries streaming, int row, long issued, long now) {
        series.record(streaming.timeToFirstToken, issued, now);
        optional.superPasses.receivedFirst(
                row, issued, now, !event.conversation().isFirstTurn());
        if (table.hasScheduled(row)) {
            // Registered with the first chunk, as the other series of streamed answers are.
            series.schedule().responseTimeToFirstToken();
        }
        if (table.hasLastReceived(row)) {
            series.record(streaming.chunkDelta, table.lastReceived(row), now);
        }
    }

    /**
     * Records a further chunk of a sample in flight, and notes its time in the row.
     *
     * @param keys the event, if it has optional keys of chunks
     */
    public void next(int row, long now, @Nullable DecodedEvent keys) {
        optional.answered(row);
        StreamingSeries streaming = table.isTracked(row) && table.hasLastReceived(row) ? series.streaming() : null;
        if (streaming != null) {
            series.record(streaming.chunkDelta, table.lastReceived(row), now);
        }
        if (keys != null) {
            optional.chunks.received(keys, row, now, false);
        }
        table.lastReceived(row, now);
    }

    /**
     * Applies the optional keys of a further chunk of a sample in flight.
     *
     * @param gapNanos time since the chunk before, if the sample is tracked
     */
    public void keys(DecodedEvent event, int row, long gapNanos) {
        if (event.areChunkKeysRejected()) {
            optional.chunks.rejected();
        }
        if (event.hasChunkKeys()) {
            optional.chunks.next(event, row, gapNanos);
        }
    }

    /** Records the times between further chunks of tracked samples. */
    public void next(long[] gapNanos, int size) {
        StreamingSeries streaming = size > 0 ? series.streaming() : null;
        if (streaming != null) {
            streaming.chunkDelta.record(gapNanos, size);
        }
    }

    /** Records the first chunk of a sample that succeeded, whose row is still there, where only successes count. */
    public void succeeded(StreamingSeries streaming, int row) {
        long issued = issuedOf(row);
        long first = table.firstReceived(row);
        if (TimestampMath.fits(issued, first)) {
            streaming.succeededTimeToFirstToken.record(first - issued);
            if (first >= issued) {
                batches.timeToFirstToken(issued, first - issued);
            }
        }
        optional.labels.firstReceived(row, issued, first);
        optional.conversations.firstReceived(row, issued, first);
        if (table.hasScheduled(row)) {
            series.record(series.schedule().responseTimeToFirstToken(), table.scheduled(row), first);
        }
    }

    /** Sets the time of an issue: of a new row, of one without receipts, or of another attempt. */
    public void issued(int row, long now) {
        if (table.hasFirstReceived(row)) {
            put(retried, row, retried.get(row) + (now - table.issued(row)));
        } else if (seen) {
            put(retried, row, 0);
            if (!table.hasLastReceived(row)) {
                put(leads, row, 0);
                put(repeats, row, 0);
            }
        }
        table.issued(row, now);
    }

    private void put(RowColumn column, int row, long number) {
        if (number != 0 || (seen && column.get(row) != 0)) {
            column.set(row, number);
            seen = true;
        }
    }

    /** Sets the times of a first chunk. */
    public void noted(int row, long now) {
        if (table.hasLastReceived(row)) {
            put(leads, row, now - begun(row));
            put(repeats, row, repeats.get(row) + (table.hasFirstReceived(row) ? 1 : 0));
            put(retried, row, 0);
        }
        table.firstReceived(row, now);
        table.lastReceived(row, now);
    }

    /** The first receipt of a row that has any. */
    private long begun(int row) {
        return table.firstReceived(row) - (seen ? leads.get(row) : 0);
    }

    /** Issue of the attempt that had the first chunk; the last issue without a first chunk. */
    public long issuedOf(int row) {
        return table.issued(row) - (seen ? retried.get(row) : 0);
    }

    /** Chunks of a row, a repeated first one counted once. */
    public int chunks(int row) {
        int received = table.chunks(row);
        return received == InFlightTable.CHUNKS_MAX || !seen ? received : received - (int) repeats.get(row);
    }

    /** Counts the completion of the sample in a row of the table, which is still there, for its batch. */
    public void completed(int row, long issuedNanos, long completedNanos, boolean awaitsCount) {
        long gaps = Math.max(0, table.chunks(row) - 1L);
        boolean known = gaps > 0
                && gaps < InFlightTable.CHUNKS_MAX - 1L
                && table.lastReceived(row) >= begun(row)
                && TimestampMath.fits(begun(row), table.lastReceived(row));
        batches.completed(
                issuedNanos,
                TimestampMath.fits(issuedNanos, completedNanos) ? completedNanos - issuedNanos : 0,
                table.hasFailed(row),
                awaitsCount,
                known ? gaps : 0,
                known ? table.lastReceived(row) - begun(row) : 0);
    }
}
