package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;

/** Records what the first chunk of a tracked sample tells, in every place that reports times to first token. Belongs to the thread of the fold. */
final class FirstChunks {
    private final LoadgenSeries series;
    private final InFlightTable table;
    private final SteadyBatches batches;
    private final OptionalFolds optional;

    FirstChunks(LoadgenSeries series, InFlightTable table, SteadyBatches batches, OptionalFolds optional) {
        this.series = series;
        this.table = table;
        this.batches = batches;
        this.optional = optional;
    }

    /** Records a first chunk, before its row has the time of the chunk. */
    void received(DecodedEvent event, StreamingSeries streaming, int row, long issued, long now) {
        series.record(streaming.timeToFirstToken, issued, now);
        if (now >= issued && TimestampMath.fits(issued, now)) {
            batches.timeToFirstToken(issued, now - issued);
        }
        optional.labels.firstReceived(row, issued, now);
        optional.superPasses.receivedFirst(
                row, issued, now, !event.conversation().isFirstTurn());
        optional.conversations.firstReceived(row, issued, now);
        if (table.hasScheduled(row)) {
            series.record(series.schedule().responseTimeToFirstToken(), table.scheduled(row), now);
        }
        if (table.hasLastReceived(row)) {
            series.record(streaming.chunkDelta, table.lastReceived(row), now);
        }
    }
}
