package io.metricsaggregator.samples;

import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Splits frames into their records: one, or those of a batch. */
final class FrameRecords {
    private final BatchReader batch = new BatchReader();
    private final Visitor visitor;

    /** Receives the records of frames in order. */
    @FunctionalInterface
    interface Visitor {
        /** An encoded record; the buffer is reused afterwards. */
        void record(ByteBuffer buffer, int start, int length) throws IOException;
    }

    FrameRecords(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Visits the records of a frame. A frame without a payload has none. */
    void frame(ByteBuffer buffer, int start, int length) throws IOException {
        if (length <= Topic.LENGTH) {
            return;
        }
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (!Topic.isBatch(buffer, start)) {
            visitor.record(buffer, payload, size);
            return;
        }
        batch.open(buffer, payload, size);
        while (batch.next()) {
            if (batch.length() > 0) {
                visitor.record(buffer, batch.start(), batch.length());
            }
        }
    }
}
