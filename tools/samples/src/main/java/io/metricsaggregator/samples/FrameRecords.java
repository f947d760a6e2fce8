package io.metricsaggregator.samples;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.SampleIds;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Splits frames into their records: one, those of a batch, or for each chunk of a frame of chunks the record that it stands for. */
final class FrameRecords {
    private final BatchReader batch = new BatchReader();
    private final ChunkFrames chunks = new ChunkFrames();
    private final EventDecoder decoder = new EventDecoder();
    private final EventEncoder encoder = new EventEncoder();
    private final DecodedEvent event = new DecodedEvent();
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
        if (Topic.isChunks(buffer, start)) {
            chunks(buffer, payload, size);
            return;
        }
        if (!Topic.isBatch(buffer, start)) {
            record(buffer, payload, size);
            return;
        }
        batch.open(buffer, payload, size);
        while (batch.next()) {
            if (batch.length() > 0) {
                record(buffer, batch.start(), batch.length());
            }
        }
    }

    private void record(ByteBuffer buffer, int start, int length) throws IOException {
        if (EventDecoder.mayBe(EventType.SAMPLE_RECV_FIRST, buffer, start, length)
                && decoder.decode(buffer, start, length, event) == null) {
            chunks.bind(event);
        }
        visitor.record(buffer, start, length);
    }

    private void chunks(ByteBuffer buffer, int start, int length) throws IOException {
        if (!chunks.open(buffer, start, length)) {
            return;
        }
        while (chunks.next(event)) {
            byte[] bytes = encoder.encodePresent(single(event), source(event), null);
            visitor.record(ByteBuffer.wrap(bytes), 0, bytes.length);
        }
    }

    private static @Nullable String source(DecodedEvent chunk) {
        return chunk.hasSourceId() ? new String(chunk.copySource(Integer.MAX_VALUE), StandardCharsets.UTF_8) : null;
    }

    private static EventRecord single(DecodedEvent chunk) {
        EventRecord record = new EventRecord(
                EventType.SAMPLE_RECV_NON_FIRST,
                chunk.timestampNanos(),
                SampleIds.text(chunk),
                "",
                null,
                null,
                null,
                chunk.hasWorkerId() ? chunk.workerId() : null,
                chunk.sequence(),
                null,
                chunk.life());
        ChunkPart part = chunk.part();
        EventRecord withPart = part == null ? record : record.withPart(part);
        return chunk.hasChunkTokens() ? withPart.withTokens(chunk.chunkTokens()) : withPart;
    }
}
