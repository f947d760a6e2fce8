package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;

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

class ChunkPlacesTest {
    private static final String HEX_ID = "00112233445566778899aabbccddeeff";
    private static final String UUID_ID = "00112233-4455-6677-8899-aabbccddeeff";
    private static final String LONG_ID = "an id that does not fit into two longs";

    private final ChunkFrames frames = new ChunkFrames();
    private final DecodedEvent event = new DecodedEvent();

    private void bind(String id, long handle) throws IOException {
        Map<String, Object> first = ChunkFramesTest.first(id, handle);
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
        assertThat(frames.isPlain()).isTrue();
        assertThat(frames.life()).isEqualTo(1);
        frames.skip(1);
        long[] nanos = new long[9];
        assertThat(frames.ahead(nanos, new long[9], 3)).isEqualTo(3);
        assertThat(frames.ahead(nanos, new long[9], 9)).isEqualTo(7);
        assertThat(frames.sequence()).isEqualTo(41);
        List<List<Object>> read = new ArrayList<>(expected.subList(0, 1));
        for (int i = 0; i < 7; i++) {
            frames.read(i, event);
            assertThat(event.timestampNanos()).isEqualTo(nanos[i]);
            read.add(List.of(nanos[i], event.sequence(), SampleIds.text(event)));
        }
        assertThat(read).isEqualTo(expected);
        frames.skip(7);
        assertThat(frames.hasNext()).isFalse();
        assertThat(frames.ahead(nanos, new long[9], 9)).isZero();
    }

    /** The places of the next chunks. */
    private List<Long> places() {
        long[] places = new long[9];
        int size = frames.ahead(new long[9], places, 9);
        return Arrays.stream(places, 0, size).boxed().toList();
    }

    @Test
    void a_place_stays_with_its_handle_until_that_is_given_again() throws IOException {
        byte[] payload = mixed();
        open(payload);
        assertThat(places()).containsOnly(0L).hasSize(8);
        for (int i = 0; i < 8; i++) {
            frames.place(i, i + 1L);
        }
        open(payload);
        frames.skip(1);
        // Handle 5 is of no sample, but of a page that has some; the last three are no handles.
        assertThat(places()).containsExactly(2L, 3L, 4L, 5L, 0L, 0L, 0L);
        bind(UUID_ID, 300);
        bind("another long id, which two longs do not hold", 4);
        open(payload);
        assertThat(places()).containsExactly(1L, 0L, 3L, 0L, 5L, 0L, 0L, 0L);
    }
}
