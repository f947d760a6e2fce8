package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.SampleIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChunkFrameEncoderTest {
    private final ChunkFrameEncoder encoder = new ChunkFrameEncoder("a", 1);
    private final ChunkFrames frames = new ChunkFrames();
    private final DecodedEvent event = new DecodedEvent();

    private boolean open(byte[] payload) {
        return frames.open(ByteBuffer.wrap(payload), 0, payload.length);
    }

    @Test
    void a_frame_may_begin_before_its_first_chunk() {
        encoder.from(900);
        assertThat(encoder.add(3, 1_000, null, null)).isTrue();
        assertThat(encoder.add(3, 900, null, null)).isTrue();
        assertThat(encoder.add(3, 899, null, null)).isFalse();
        assertThat(open(encoder.take(0))).isTrue();
        assertThat(frames.next(event)).isTrue();
        assertThat(event.timestampNanos()).isEqualTo(1_000);
        assertThat(frames.next(event)).isTrue();
        assertThat(event.timestampNanos()).isEqualTo(900);
        // Of one frame only, and not where its first chunk would be too far away.
        assertThat(encoder.add(3, 1_000, null, null)).isTrue();
        assertThat(encoder.add(3, 999, null, null)).isFalse();
        encoder.take(0);
        for (long base : new long[] {Long.MIN_VALUE, 0, 1L << 41}) {
            encoder.from(base);
            assertThat(encoder.add(3, 1L << 40, null, null)).isTrue();
            assertThat(encoder.add(3, Long.MIN_VALUE, null, null)).isFalse();
            assertThat(encoder.add(3, Long.MAX_VALUE, null, null)).isFalse();
            assertThat(open(encoder.take(0))).isTrue();
            assertThat(frames.next(event)).isTrue();
            assertThat(event.timestampNanos()).isEqualTo(1L << 40);
        }
    }

    @Test
    void a_column_without_a_value_is_left_out_and_handles_take_four_bytes_from_65536_on() throws IOException {
        List<Object> frame =
                new ArrayList<>(Arrays.asList(1L, "a", 1L, 9L, 7L, new byte[] {-1, -1}, new byte[4], null, null));
        encoder.add(0xffff, 7, null, null);
        assertThat(encoder.take(9)).isEqualTo(ChunkFramesTest.pack(frame));
        frame.set(5, new byte[] {0, 0, 1, 0});
        frame.set(7, new byte[] {2, 1});
        encoder.add(0x10000, 7, 0x102, null);
        assertThat(encoder.take(9)).isEqualTo(ChunkFramesTest.pack(frame));
        frame.set(7, null);
        frame.set(8, new byte[] {3});
        encoder.add(0x10000, 7, null, ChunkPart.TOOL_CALLS);
        assertThat(encoder.take(9)).isEqualTo(ChunkFramesTest.pack(frame));
    }

    @Test
    void a_number_that_is_no_handle_is_refused_by_name() {
        for (int handle : new int[] {-1, DecodedEvent.HANDLE_MAX + 1}) {
            assertThatThrownBy(() -> encoder.add(handle, 7, null, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("handle " + handle + " is not 0 to " + DecodedEvent.HANDLE_MAX);
        }
        assertThat(encoder.count()).isZero();
        assertThat(encoder.add(DecodedEvent.HANDLE_MAX, 7, null, null)).isTrue();
    }

    private boolean bind(Map<String, Object> record) throws IOException {
        byte[] bytes = ChunkFramesTest.pack(record);
        new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
        return frames.bind(event);
    }

    /** The id of a producer's chunk; empty for none. */
    private String id(ChunkFrameEncoder producer) {
        producer.add(3, 7, null, null);
        assertThat(open(producer.take(0))).isTrue();
        assertThat(frames.next(event)).isTrue();
        return SampleIds.text(event);
    }

    @Test
    void sources_and_workers_of_one_life_and_handle_are_told_apart_whoever_sent_before() throws IOException {
        Map<String, Object> worker = ChunkFramesTest.first("s2", 3L);
        worker.remove("source_id");
        worker.put("worker_id", 8L);
        assertThat(bind(ChunkFramesTest.first("s1", 3L))).isTrue();
        assertThat(bind(worker)).isTrue();
        Map<String, Object> later = ChunkFramesTest.first("s3", 3L);
        later.put("event_type", "sample.of_a_later_version");
        assertThat(bind(later)).as("of a type that is not known").isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(id(new ChunkFrameEncoder("a", 1))).isEqualTo("s1");
            assertThat(id(new ChunkFrameEncoder(9, 1))).isEmpty();
            assertThat(id(new ChunkFrameEncoder("a", 1))).isEqualTo("s1");
            assertThat(id(new ChunkFrameEncoder(8, 1))).isEqualTo("s2");
            assertThat(id(new ChunkFrameEncoder("b", 1))).isEmpty();
            assertThat(id(new ChunkFrameEncoder(8, 1))).isEqualTo("s2");
            assertThat(id(new ChunkFrameEncoder(9, 1))).isEmpty();
        }
    }

    @Test
    void a_frame_grows_with_its_chunks() {
        for (int i = 0; i < 2_000; i++) {
            encoder.add(i, i, i, null);
        }
        assertThat(encoder.count()).isEqualTo(2_000);
        assertThat(open(encoder.take(0))).isTrue();
        for (int i = 0; i < 2_000; i++) {
            assertThat(frames.next(event)).isTrue();
            assertThat(event.timestampNanos()).isEqualTo(i);
            assertThat(event.chunkTokens()).isEqualTo(i);
        }
        assertThat(encoder.count()).isZero();
    }
}
