package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;

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

class ChunksAheadTest {
    private static final String HEX_ID = "00112233445566778899aabbccddeeff";
    private static final String UUID_ID = "00112233-4455-6677-8899-aabbccddeeff";
    private static final String LONG_ID = "an id that does not fit into two longs";

    private final ChunkFrames frames = new ChunkFrames();
    private final DecodedEvent event = new DecodedEvent();

    private void bind(String id, long handle) throws IOException {
        bind(ChunkFramesTest.first(id, handle));
    }

    private void bind(Map<String, Object> first) throws IOException {
        byte[] bytes = ChunkFramesTest.pack(first);
        new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
        assertThat(frames.bind(event)).isTrue();
    }

    private void open(byte[] payload) {
        assertThat(frames.open(ByteBuffer.wrap(payload), 0, payload.length)).isTrue();
    }

    /** A frame of three packed ids, a long id, an unknown handle, and three numbers that are no handles. */
    private byte[] mixed() throws IOException {
        bind(HEX_ID, 0);
        bind(UUID_ID, 300);
        bind("s1", DecodedEvent.HANDLE_MAX);
        bind(LONG_ID, 4);
        int[] handles = {0, 300, DecodedEvent.HANDLE_MAX, 4, 5, -1, DecodedEvent.HANDLE_MAX + 1, Integer.MIN_VALUE};
        int[] offsets = {5, 0, -1, 4, 3, 2, 1, 0};
        return ChunkFramesTest.pack(Arrays.asList(
                1L, "a", 1L, 40L, 7L, ChunkFramesTest.column(handles), ChunkFramesTest.column(offsets), null, null));
    }

    @Test
    void chunks_are_read_ahead_as_in_turn_and_stay_the_next() throws IOException {
        byte[] payload = mixed();
        List<List<Object>> expected = new ArrayList<>();
        open(payload);
        while (frames.next(event)) {
            expected.add(List.of(event.timestampNanos(), event.sequence(), SampleIds.text(event)));
        }
        assertThat(expected.get(2)).containsExactly(7 + 0xffffffffL, 42L, "s1");
        assertThat(expected)
                .extracting(each -> each.get(2))
                .containsExactly(HEX_ID, UUID_ID, "s1", LONG_ID, "", "", "", "");
        open(payload);
        assertThat(frames.hasKeys()).isFalse();
        assertThat(frames.life()).isEqualTo(1);
        int none = DecodedEvent.HANDLE_MAX + 1;
        List<Integer> handles = List.of(0, 300, DecodedEvent.HANDLE_MAX, 4, 5, none, none, none);
        List<List<Object>> read = new ArrayList<>();
        for (int i = 0; i < 8; i += 2) {
            assertThat(frames.readAhead()).isEqualTo(8 - i);
            assertThat(frames.sequence()).isEqualTo(40 + i);
            frames.read(event);
            read.add(List.of(event.timestampNanos(), event.sequence(), SampleIds.text(event)));
            for (int k = 0; k < 8 - i; k++) {
                assertThat(frames.handleAhead(k)).isEqualTo(handles.get(i + k));
                assertThat(frames.nanosAhead(k)).isEqualTo(expected.get(i + k).get(0));
            }
            frames.skip(1);
            frames.next(event);
            read.add(List.of(event.timestampNanos(), event.sequence(), SampleIds.text(event)));
        }
        assertThat(read).isEqualTo(expected);
        assertThat(frames.hasNext()).isFalse();
    }

    @Test
    void a_frame_of_more_chunks_than_are_read_ahead_is_read_in_parts() throws IOException {
        bind("s1", 3);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("a", 1);
        int chunks = 2 * ChunkFrames.AHEAD_MAX + 7;
        encoder.from(1000);
        for (int i = 0; i < chunks; i++) {
            encoder.add(i % 5, 1000 + i, null, null);
        }
        open(encoder.take(1));
        int read = 0;
        while (frames.hasNext()) {
            int size = frames.readAhead();
            assertThat(size).isEqualTo(Math.min(ChunkFrames.AHEAD_MAX, chunks - read));
            for (int i = 0; i < size; i++) {
                assertThat(frames.handleAhead(i)).isEqualTo((read + i) % 5);
                assertThat(frames.nanosAhead(i)).isEqualTo(1000 + read + i);
            }
            frames.skip(size);
            read += size;
        }
        assertThat(read).isEqualTo(chunks);
    }

    private static byte[] frameOf(String source, long life) {
        ChunkFrameEncoder encoder = new ChunkFrameEncoder(source, life);
        encoder.add(3, 1000, null, null);
        return encoder.take(1);
    }

    @Test
    void keys_are_read_ahead_as_in_turn() throws IOException {
        bind("s1", 3);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("a", 1);
        encoder.from(1000);
        for (int i = 0; i < 12; i++) {
            ChunkPart part = i % 4 == 0 ? null : ChunkPart.values()[i % 4 - 1];
            encoder.add(3, 1000 + i, i % 3 == 0 ? null : i, part);
        }
        byte[] payload = encoder.take(1);
        List<List<Object>> expected = new ArrayList<>();
        open(payload);
        while (frames.next(event)) {
            expected.add(keys());
        }
        open(payload);
        assertThat(frames.hasKeys()).isTrue();
        frames.readAhead();
        frames.skip(2);
        for (int i = 2; i < 12; i++) {
            frames.readKeys(i - 2, event);
            assertThat(keys()).isEqualTo(expected.get(i));
        }
    }

    private List<Object> keys() {
        return Arrays.asList(event.timestampNanos(), event.hasChunkTokens(), event.chunkTokens(), event.part());
    }

    @Test
    void producers_that_gave_handles_have_numbers_by_which_frames_and_records_agree() throws IOException {
        Map<String, Object> other = ChunkFramesTest.first("s2", 3L);
        other.put("life", 2L);
        bind("s1", 3);
        assertThat(frames.producer(event)).isZero();
        bind(other);
        assertThat(frames.producer(event)).isEqualTo(1);
        bind("s3", 4);
        assertThat(frames.producer(event)).isZero();
        open(frameOf("a", 2));
        assertThat(frames.producer()).isEqualTo(1);
        open(frameOf("a", 1));
        assertThat(frames.producer()).isZero();
        open(frameOf("b", 1));
        assertThat(frames.producer()).isEqualTo(ChunkFrames.NO_PRODUCER);
    }
}
