package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.SampleIds;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class ChunkFramesTest {
    private static final String HEX_ID = "00112233445566778899aabbccddeeff";
    private static final String UUID_ID = "00112233-4455-6677-8899-aabbccddeeff";
    private static final String LONG_ID = "an id that does not fit into two longs";

    private final ChunkFrames frames = new ChunkFrames();
    private final DecodedEvent event = new DecodedEvent();

    static byte[] pack(Object tree) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(tree, packer);
            return packer.toByteArray();
        }
    }

    static Map<String, Object> first(String id, Object handle) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.recv_first");
        record.put("timestamp_ns", 5L);
        record.put("sample_uuid", id);
        record.put("source_id", "a");
        record.put("life", 1L);
        record.put("handle", handle);
        return record;
    }

    private boolean bind(Map<String, Object> record) throws IOException {
        byte[] bytes = pack(record);
        DecodedEvent decoded = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, decoded))
                .isNull();
        return frames.bind(decoded);
    }

    private boolean open(byte[] payload) {
        return frames.open(ByteBuffer.wrap(payload), 0, payload.length);
    }

    /** The ids of a frame's chunks. */
    private List<String> ids(byte[] payload) {
        List<String> ids = new ArrayList<>();
        assertThat(open(payload)).isTrue();
        while (frames.next(event)) {
            ids.add(SampleIds.text(event));
        }
        return ids;
    }

    private static byte[] chunk(ChunkFrameEncoder encoder, int handle) {
        encoder.add(handle, 7, null, null);
        return encoder.take(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s1", HEX_ID, UUID_ID, LONG_ID, "é ü ñ 漢字"})
    void a_chunk_reads_as_the_single_record_of_its_sample(String id) throws IOException {
        assertThat(bind(first(id, 70_000L))).isTrue();
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("a", 1);
        assertThat(encoder.add(70_000, 1_000, 3, ChunkPart.OUTPUT)).isTrue();
        assertThat(encoder.add(70_000, 1_000 + 0xffffffffL, null, null)).isTrue();
        assertThat(encoder.add(70_000, 999, null, null)).isFalse();
        assertThat(encoder.add(70_000, 1_001 + 0xffffffffL, null, null)).isFalse();
        assertThat(open(encoder.take(40))).isTrue();
        assertThat(frames.count()).isEqualTo(2);
        assertThat(frames.next(event)).isTrue();
        assertThat(event.type()).isEqualTo(EventType.SAMPLE_RECV_NON_FIRST);
        assertThat(SampleIds.text(event)).isEqualTo(id);
        assertThat(event.timestampNanos()).isEqualTo(1_000);
        assertThat(event.part()).isEqualTo(ChunkPart.OUTPUT);
        assertThat(event.chunkTokens()).isEqualTo(3);
        assertThat(event.sequence()).isEqualTo(40);
        assertThat(event.life()).isEqualTo(1);
        assertThat(new String(event.copySource(9), StandardCharsets.UTF_8)).isEqualTo("a");
        assertThat(event.hasWorkerId()).isFalse();
        assertThat(frames.next(event)).isTrue();
        assertThat(event.timestampNanos()).isEqualTo(1_000 + 0xffffffffL);
        assertThat(event.hasChunkKeys()).isFalse();
        assertThat(event.sequence()).isEqualTo(41);
        assertThat(frames.next(event)).isFalse();
    }

    static byte[] column(int... numbers) {
        ByteBuffer column = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        column.asIntBuffer().put(numbers);
        return column.array();
    }

    @Test
    void a_frame_tells_whether_its_chunks_may_have_tokens_or_a_part() throws IOException {
        assertThat(open(pack(frame()))).isTrue();
        assertThat(frames.hasKeys()).isFalse();
        assertThat(openWith(7, new byte[4]) && frames.hasKeys())
                .as("with tokens")
                .isTrue();
        assertThat(openWith(8, new byte[2]) && frames.hasKeys())
                .as("with parts")
                .isTrue();
    }

    @Test
    void a_handle_is_that_of_one_producer_in_one_life() throws IOException {
        bind(first("s1", 3L));
        Map<String, Object> worker = first("s2", 3L);
        worker.remove("source_id");
        worker.put("worker_id", 8L);
        assertThat(bind(worker)).isTrue();
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), 3))).containsExactly("s1");
        assertThat(ids(chunk(new ChunkFrameEncoder("b", 1), 3))).containsExactly("");
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 2), 3))).containsExactly("");
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), 4))).containsExactly("");
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), DecodedEvent.HANDLE_MAX)))
                .containsExactly("");
        assertThat(ids(chunk(new ChunkFrameEncoder(8, 1), 3))).containsExactly("s2");
        assertThat(event.workerId()).isEqualTo(8);
    }

    @Test
    void a_handle_given_again_is_of_the_later_sample() throws IOException {
        bind(first("s1", 3L));
        bind(first(LONG_ID, 3L));
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), 3))).containsExactly(LONG_ID);
        bind(first("s3", 3L));
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), 3))).containsExactly("s3");
    }

    @Test
    void a_handle_that_breaks_a_rule_is_rejected() throws IOException {
        for (Object handle : new Object[] {-1L, 1L << 20, Long.MAX_VALUE, "3", 3.0, List.of()}) {
            assertThat(bind(first("s1", handle))).as("handle %s", handle).isFalse();
        }
        Map<String, Object> issue = first("s1", 3L);
        issue.put("event_type", "sample.issued");
        assertThat(bind(issue)).isFalse();
        for (String key : List.of("sample_uuid", "source_id", "life")) {
            Map<String, Object> record = first("s1", 3L);
            record.remove(key);
            assertThat(bind(record)).as("without %s", key).isFalse();
        }
        assertThat(bind(first("x".repeat(257), 3L))).isFalse();
        Map<String, Object> named = first("s1", 3L);
        named.put("source_id", "x".repeat(257));
        assertThat(bind(named)).isFalse();
        assertThat(ids(chunk(new ChunkFrameEncoder("a", 1), 3))).containsExactly("");
        Map<String, Object> absent = first("s1", 3L);
        absent.put("handle", null);
        assertThat(bind(absent)).isTrue();
    }

    @Test
    void producers_and_their_handles_are_bounded() throws IOException {
        for (int life = 0; life < ChunkHandles.PRODUCERS_MAX; life++) {
            Map<String, Object> record = first("s" + life, 0L);
            record.put("life", (long) life);
            assertThat(bind(record)).isTrue();
        }
        Map<String, Object> beyond = first("s", 0L);
        beyond.put("life", 1L << 40);
        assertThat(bind(beyond)).isFalse();
        int pages = ChunkHandles.PAGES_MAX - ChunkHandles.PRODUCERS_MAX;
        for (int page = 0; page < pages; page++) {
            Map<String, Object> record = first("s", 256L * (1 + page % 4095));
            record.put("life", (long) page / 4095);
            assertThat(bind(record)).isTrue();
        }
        Map<String, Object> record = first("s", 256L * 4000);
        record.put("life", 4000L);
        assertThat(bind(record)).isFalse();
        for (int life = 0; life < ChunkHandles.PRODUCERS_MAX; life++) {
            assertThat(ids(chunk(new ChunkFrameEncoder("a", life), 0))).containsExactly("s" + life);
        }
    }

    @Test
    void texts_of_long_ids_are_bounded_and_a_refused_one_leaves_no_sample_behind() throws IOException {
        Map<String, Object> record = first("", 0L);
        String source = "s".repeat(ChunkHandles.NAME_MAX_BYTES);
        record.put("source_id", source);
        int most = ChunkHandles.TEXT_BYTES_MAX / (2 * ChunkHandles.NAME_MAX_BYTES);
        // Each handle is given twice, and the text of the sample before is no longer counted.
        for (int i = 0; i < 2 * most - 1; i++) {
            record.put("sample_uuid", String.format("%0256d", i));
            record.put("handle", i / 2L);
            assertThat(bind(record)).as("%s", i).isTrue();
        }
        record.put("sample_uuid", "one more long id");
        record.put("handle", 3L);
        assertThat(bind(record)).isFalse();
        assertThat(ids(chunk(new ChunkFrameEncoder(source, 1), 3))).containsExactly("");
        assertThat(bind(record))
                .as("in the room of the one that the handle had before")
                .isTrue();
        assertThat(ids(chunk(new ChunkFrameEncoder(source, 1), 2))).containsExactly(String.format("%0256d", 5));
    }

    private static List<Object> frame() {
        return new ArrayList<>(Arrays.asList(1L, "a", 1L, 0L, 7L, new byte[] {3, 0, 3, 0}, new byte[8], null, null));
    }

    private boolean openWith(int element, Object value) throws IOException {
        List<Object> changed = frame();
        changed.set(element, value);
        return open(pack(changed));
    }

    @Test
    void a_malformed_frame_has_no_chunk() throws IOException {
        bind(first("s1", 3L));
        assertThat(ids(pack(frame()))).containsExactly("s1", "s1");
        assertThat(openWith(0, 2L)).isFalse();
        for (Object source : new Object[] {null, "", "x".repeat(257), 1.5, new byte[1]}) {
            assertThat(openWith(1, source)).as("source %s", source).isFalse();
        }
        assertThat(openWith(1, "x".repeat(256))).isTrue();
        assertThat(openWith(1, BigInteger.ONE.shiftLeft(63)) && frames.next(event))
                .isTrue();
        assertThat(event.workerId()).isEqualTo(Long.MAX_VALUE);
        for (Object number : new Object[] {null, -1L, 1.0, "1"}) {
            assertThat(openWith(2, number)).as("life %s", number).isFalse();
            assertThat(openWith(3, number)).as("seq %s", number).isFalse();
        }
        assertThat(openWith(3, Long.MAX_VALUE - 1)).isFalse();
        assertThat(openWith(3, Long.MAX_VALUE - 2)).isTrue();
        assertThat(openWith(4, Long.MAX_VALUE - 0xfffffffeL)).isFalse();
        assertThat(openWith(4, Long.MIN_VALUE)).isTrue();
        assertThat(openWith(5, new byte[6])).isFalse();
        assertThat(openWith(5, new byte[8])).isTrue();
        assertThat(openWith(6, new byte[7])).isFalse();
        assertThat(openWith(7, new byte[3])).isFalse();
        assertThat(openWith(8, new byte[3])).isFalse();
        assertThat(openWith(7, new byte[4])).isTrue();
        assertThat(openWith(8, new byte[2])).isTrue();
        List<Object> empty = frame();
        empty.set(5, new byte[0]);
        empty.set(6, new byte[0]);
        assertThat(open(pack(empty))).isFalse();
        List<Object> longer = frame();
        longer.add(Map.of("later", 1L));
        byte[] reserved = pack(longer);
        assertThat(open(reserved)).isTrue();
        reserved[reserved.length - 1] = (byte) 0xc1;
        assertThat(open(reserved)).isFalse();
        assertThat(open(pack(frame().subList(0, 8)))).isFalse();
        byte[] trailing = Arrays.copyOf(pack(frame()), pack(frame()).length + 1);
        assertThat(open(trailing)).isFalse();
        assertThat(frames.next(event)).isFalse();
    }

    @Test
    void a_frame_that_lacks_any_of_its_elements_is_malformed_whatever_number_it_announces() throws IOException {
        for (int left = 0; left < 1 << 9; left++) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                if ((left & 1 << i) != 0) {
                    elements.add(frame().get(i));
                }
            }
            byte[] bytes = pack(elements);
            bytes[0] = (byte) 0x99;
            assertThat(open(bytes))
                    .as("elements %s", Integer.toBinaryString(left))
                    .isEqualTo(elements.size() == 9);
        }
    }

    @Test
    void a_source_that_is_not_utf8_makes_the_frame_malformed() throws IOException {
        byte[] bytes = pack(frame());
        bytes[3] = (byte) 0xff;
        assertThat(open(bytes)).isFalse();
    }

    @Test
    void keys_of_a_chunk_that_break_a_rule_are_rejected_and_the_chunk_stays() throws IOException {
        bind(first("s1", 3L));
        List<Object> frame = frame();
        frame.set(7, new byte[] {1, 16, (byte) 0xff, (byte) 0xff});
        frame.set(8, new byte[] {0, 4});
        assertThat(openWith(7, new byte[] {0, 16, 0, 16}) && frames.next(event)).isTrue();
        assertThat(event.chunkTokens()).as("the most").isEqualTo(4096);
        assertThat(openWith(8, new byte[] {3, 3}) && frames.next(event)).isTrue();
        assertThat(event.part()).isEqualTo(ChunkPart.TOOL_CALLS);
        assertThat(open(pack(frame))).isTrue();
        assertThat(frames.next(event)).isTrue();
        assertThat(event.areChunkKeysRejected()).isTrue();
        assertThat(event.hasChunkTokens()).isFalse();
        assertThat(frames.next(event)).isTrue();
        assertThat(event.areChunkKeysRejected()).isTrue();
        assertThat(event.part()).isNull();
        assertThat(SampleIds.text(event)).isEqualTo("s1");
    }

    @Test
    void any_bytes_are_read_without_an_exception() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        bind(first(LONG_ID, 3L));
        List<Object> whole = frame();
        whole.set(7, new byte[4]);
        whole.set(8, new byte[2]);
        byte[] valid = pack(whole);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(valid, 1 + random.nextInt(valid.length + 4));
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int chunks = open(bytes) ? frames.count() : 0;
            int read = 0;
            while (frames.next(event)) {
                assertThat(event.idKind()).as("seed %d", seed).isIn(IdKind.EMPTY, IdKind.LONG);
                SampleIds.text(event);
                event.copySource(256);
                read++;
            }
            assertThat(read).as("seed %d", seed).isEqualTo(chunks);
        }
    }
}
