package io.metricsaggregator.flink.joined;

import io.metricsaggregator.event.BatchReader;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.run.FrameCounts;
import java.nio.ByteBuffer;

/** Takes frames apart into records with their times on the clock of a joined run. No bytes make it throw. Used by one thread. */
final class FrameSplitter {
    private final BatchReader batch = new BatchReader();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    /** Takes the records of a frame, in their order. */
    interface Records {
        /**
         * Takes one record.
         *
         * @param nanos its time on the clock of the joined run: its own, or that of its receipt if it carries none
         * @param rank as {@link NodeRecord#rank(EventType)}
         * @param bytes the encoded record, a copy
         */
        void record(long nanos, byte rank, byte[] bytes);
    }

    /**
     * Takes a frame apart.
     *
     * @param receivedNanos time of its receipt on the clock of the joined run
     * @param shiftNanos how far the clock of the joined run is ahead of that of the records' own times
     * @return the counts of this frame
     */
    FrameCounts split(ByteBuffer buffer, int start, int length, long receivedNanos, long shiftNanos, Records records) {
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (size <= 0) {
            return new FrameCounts(1, 1, length, 0, 0, 0);
        }
        if (!Topic.isBatch(buffer, start)) {
            record(buffer, payload, size, receivedNanos, shiftNanos, records);
            return new FrameCounts(1, 0, length, 0, 0, 0);
        }
        if (batch.open(buffer, payload, size) < 0) {
            return new FrameCounts(1, 0, length, 1, 1, 0);
        }
        int empty = 0;
        while (batch.next()) {
            if (batch.length() == 0) {
                empty++;
            } else {
                record(buffer, batch.start(), batch.length(), receivedNanos, shiftNanos, records);
            }
        }
        return new FrameCounts(1, 0, length, 1, 0, empty);
    }

    private void record(
            ByteBuffer buffer, int start, int length, long receivedNanos, long shiftNanos, Records records) {
        boolean isWellFormed = decoder.decode(buffer, start, length, event) == null;
        EventType type = isWellFormed ? event.type() : null;
        long nanos = isWellFormed && event.hasTimestamp()
                ? TimestampMath.saturatedSum(event.timestampNanos(), shiftNanos)
                : receivedNanos;
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        records.record(nanos, NodeRecord.rank(type), bytes);
    }
}
