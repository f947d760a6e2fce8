package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.journal.RunOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class SampleFramesTest {
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private final SampleFrames frames = new SampleFrames(rows::add, null);

    private void apply(EventRecord event) throws IOException {
        apply(new EventEncoder().encode(event));
    }

    private void apply(byte[] payload) throws IOException {
        byte[] frame = Topic.frame("events", payload);
        ByteBuffer buffer = ByteBuffer.allocate(frame.length + 6).put(3, frame);
        frames.frame(buffer, 3, frame.length);
    }

    private @Nullable Object value(int row, String column) {
        for (int i = 0; i < SampleColumn.ALL.size(); i++) {
            if (SampleColumn.ALL.get(i).name().equals(column)) {
                return rows.get(row)[i];
            }
        }
        throw new AssertionError(column);
    }

    @Test
    void a_row_is_handed_on_when_its_sample_completes_and_the_rest_at_the_end() throws IOException {
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "a").from(3, 0));
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 110, "lost"));
        apply(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 150, "a"));
        assertThat(rows).isEmpty();
        apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, "a").withUsage(Usage.of(12, 5)));
        assertThat(rows).hasSize(1);
        frames.end();
        assertThat(rows).hasSize(2);
        assertThat(frames.records()).isEqualTo(4);
        assertThat(value(0, "latency_ns")).isEqualTo(100L);
        assertThat(value(0, "ttft_ns")).isEqualTo(50L);
        assertThat(value(0, "usage_completion_tokens")).isEqualTo(5L);
        assertThat(value(1, "sample_uuid")).isEqualTo("lost");
        assertThat(value(1, "completed_ns")).isNull();
    }

    @Test
    void every_value_has_the_class_of_its_column() throws IOException {
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "a").from(3, 0));
        apply(EventRecord.sample(EventType.ERROR_CLIENT, 120, "a").withData(new ErrorData("Timeout", "no answer")));
        apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, "a").withFinishReason("stop"));
        @Nullable Object[] row = rows.get(0);
        assertThat(row).hasSameSizeAs(SampleColumn.ALL);
        for (int i = 0; i < row.length; i++) {
            SampleColumn column = SampleColumn.ALL.get(i);
            Class<?> expected = switch (column.type()) {
                case TEXT, LABEL -> String.class;
                case TIME, DURATION, COUNT -> Long.class;
                case REAL -> Double.class;
                case FLAG -> Boolean.class;
            };
            if (row[i] == null) {
                assertThat(column.required()).as(column.name()).isFalse();
            } else {
                assertThat(row[i]).as(column.name()).isInstanceOf(expected);
            }
        }
    }

    @Test
    void a_record_without_a_time_has_that_of_its_receipt_and_the_clock_of_the_process_that_received_it()
            throws IOException {
        frames.received(70, new RunOrigin("cafe", "gpu-1", 5L, 1L));
        try (MessageBufferPacker record = MessagePack.newDefaultBufferPacker()) {
            record.packMapHeader(2).packString("event_type").packString("sample.issued");
            record.packString("sample_uuid").packString("a");
            apply(record.toByteArray());
        }
        frames.received(90, new RunOrigin("cafe", "gpu-1", 6L, 1L));
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "later"));
        frames.end();
        assertThat(value(0, "issued_ns")).isEqualTo(70L);
        assertThat(value(0, "wall_offset_ns")).isEqualTo(5L);
        assertThat(value(1, "wall_offset_ns")).isEqualTo(6L);
        assertThat(value(1, "node")).isEqualTo("gpu-1");
    }

    @Test
    void scheduled_time_and_conversation_are_in_the_row() throws IOException {
        apply(new EventRecord(EventType.SAMPLE_ISSUED, 100, "a", "chat-7", 2L, null, null, null, null, 95L));
        frames.end();
        assertThat(value(0, "scheduled_ns")).isEqualTo(95L);
        assertThat(value(0, "conversation_id")).isEqualTo("chat-7");
    }

    @Test
    void malformed_records_and_empty_frames_are_skipped() throws IOException {
        apply(new byte[] {(byte) 0xc1, 2});
        apply(new byte[0]);
        apply(EventRecord.session(EventType.SESSION_STARTED, 1));
        frames.end();
        assertThat(rows).isEmpty();
        assertThat(frames.records()).isEqualTo(2);
    }

    @Test
    void chunks_of_a_frame_are_those_of_single_records() throws IOException {
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "a").from(3, 0).inLife(7));
        byte[] first = new EventEncoder()
                .encode(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 150, "a")
                        .from(3, 1)
                        .inLife(7));
        // One more pair.
        byte[] withHandle = ByteBuffer.allocate(first.length + 8)
                .put(first)
                .put((byte) 0xa6)
                .put("handle".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 5)
                .array();
        withHandle[0]++;
        apply(withHandle);
        ChunkFrameEncoder chunks = new ChunkFrameEncoder(3, 7);
        chunks.add(5, 160, 4, ChunkPart.OUTPUT);
        chunks.add(5, 175, null, null);
        byte[] frame = Topic.frame(Topic.CHUNKS, chunks.take(2));
        frames.frame(ByteBuffer.wrap(frame), 0, frame.length);
        apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, "a").from(3, 4).inLife(7));
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "b").from(4, 0).inLife(7));
        apply(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 150, "b")
                .from(4, 1)
                .inLife(7));
        apply(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 160, "b")
                .from(4, 2)
                .inLife(7)
                .withTokens(4)
                .withPart(ChunkPart.OUTPUT));
        apply(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 175, "b")
                .from(4, 3)
                .inLife(7));
        apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, "b").from(4, 4).inLife(7));
        assertThat(frames.records()).isEqualTo(10);
        for (SampleColumn column : SampleColumn.ALL) {
            if (!column.name().equals("sample_uuid") && !column.name().contains("worker")) {
                assertThat(value(0, column.name())).as(column.name()).isEqualTo(value(1, column.name()));
            }
        }
        assertThat(value(0, "chunks")).isEqualTo(3L);
    }
}
