package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class EventDecoderTest {
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private final EventEncoder encoder = new EventEncoder();

    @Test
    void everyGoldenMalformedRecordIsRejectedOrOfAnUnknownType() throws IOException {
        int malformed = 0;
        int unknown = 0;
        for (Map.Entry<String, byte[]> record : Golden.records("08a_malformed/malformed_records.json")) {
            Malformation wrong = decode(record.getValue());
            if (wrong != null) {
                malformed++;
                assertThat(record.getKey()).as(wrong.text()).doesNotContain("future version");
            } else {
                assertThat(event.type()).as(record.getKey()).isNull();
                unknown++;
            }
        }
        assertThat(malformed).isEqualTo(39);
        assertThat(unknown).isEqualTo(5);
    }

    @Test
    void everyGoldenPoisonRecordIsRejected() throws IOException {
        List<Map.Entry<String, byte[]>> poison = Golden.records("08b_poison/poison_records.json");
        assertThat(poison).hasSize(9);
        for (Map.Entry<String, byte[]> record : poison) {
            assertThat(decode(record.getValue())).as(record.getKey()).isNotNull();
        }
    }

    @Test
    void aFieldOfTheWrongTypeIsNamedByItsMalformation() throws IOException {
        Map<String, Malformation> expected = new LinkedHashMap<>();
        expected.put("timestamp float", Malformation.TIMESTAMP_INVALID);
        expected.put("timestamp nil", Malformation.TIMESTAMP_INVALID);
        expected.put("uuid int", Malformation.SAMPLE_UUID_INVALID);
        expected.put("conversation_id nil", Malformation.CONVERSATION_ID_INVALID);
        expected.put("turn string", Malformation.TURN_INVALID);
        expected.put("finish_reason nil", Malformation.FINISH_REASON_INVALID);
        expected.put("worker_id nil", Malformation.WORKER_ID_INVALID);
        expected.put("data map", Malformation.DATA_INVALID);
        expected.put("token_ids of floats", Malformation.DATA_INVALID);
        expected.put("integer key", Malformation.KEY_NOT_STRING);
        expected.put("trailing byte", Malformation.TRAILING_BYTES);
        expected.put("truncated", Malformation.TRUNCATED);
        expected.put("map longer than the payload", Malformation.TRUNCATED);
        expected.put("reserved byte", Malformation.RESERVED_BYTE);
        expected.put("event_type missing", Malformation.EVENT_TYPE_MISSING);
        expected.put("array for a record", Malformation.NOT_A_MAP);
        Map<String, @Nullable Malformation> seen = new LinkedHashMap<>();
        for (Map.Entry<String, byte[]> record : Golden.records("08a_malformed/malformed_records.json")) {
            if (expected.containsKey(record.getKey())) {
                seen.put(record.getKey(), decode(record.getValue()));
            }
        }
        assertThat(seen).containsAllEntriesOf(expected);
    }

    @Test
    void aRecordDecodesTheSameInAnyKeyOrder() throws IOException {
        Random random = Seed.random(EventDecoderTest.class);
        for (int round = 0; round < 5_000; round++) {
            EventRecord record = randomRecord(random);
            byte[] usual = encoder.encode(record);
            assertThat(decode(usual)).isNull();
            String asEncoded = describe();
            assertThat(decode(shuffled(usual, random))).isNull();
            assertThat(describe()).as("%s", record).isEqualTo(asEncoded);
        }
    }

    private static byte[] packed(Object... keysAndValues) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(keysAndValues.length / 2);
            for (Object each : keysAndValues) {
                MsgpackTree.write(each, packer);
            }
            return packer.toByteArray();
        }
    }

    @Test
    void telemetry_may_use_the_load_generators_keys_with_other_types_in_any_order() throws IOException {
        Map<String, Object> foreign = new LinkedHashMap<>();
        foreign.put("sample_uuid", 1L);
        foreign.put("conversation_id", List.of());
        foreign.put("turn", "left");
        foreign.put("data", Map.of("transfer_duration", List.of(0.5)));
        foreign.put("finish_reason", 2.5);
        foreign.put("worker_id", "rank0");
        for (Map.Entry<String, Object> each : foreign.entrySet()) {
            assertThat(decode(
                            packed("event_type", "transfer.stats", "timestamp_ns", 7L, each.getKey(), each.getValue())))
                    .as(each.getKey())
                    .isNull();
            assertThat(event.type()).isNull();
            assertThat(event.timestampNanos()).isEqualTo(7);
            assertThat(decode(packed(each.getKey(), each.getValue(), "event_type", "transfer.stats")))
                    .as("%s before event_type", each.getKey())
                    .isNull();
            assertThat(event.idKind()).isEqualTo(IdKind.EMPTY);
            assertThat(event.hasWorkerId()).isFalse();
            assertThat(event.dataLength()).isZero();
        }
    }

    @Test
    void a_load_generator_record_is_malformed_by_an_invalid_key_before_its_type() throws IOException {
        assertThat(decode(packed("data", Map.of(), "turn", "left", "event_type", "sample.complete")))
                .isEqualTo(Malformation.DATA_INVALID);
        assertThat(decode(packed("event_type", "sample.complete", "worker_id", "rank0", "timestamp_ns", 1L)))
                .isEqualTo(Malformation.WORKER_ID_INVALID);
    }

    @Test
    void telemetry_that_is_truncated_within_such_a_key_is_malformed() throws IOException {
        byte[] whole = packed("event_type", "transfer.stats", "data", Map.of("transfer_duration", List.of(0.5, 0.25)));
        for (int length = 0; length < whole.length; length++) {
            assertThat(decode(Arrays.copyOf(whole, length)))
                    .as("%d bytes", length)
                    .isNotNull();
        }
    }

    @Test
    void theLastOfARepeatedKeyWinsEvenAfterTheUsualLayout() throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(9);
            packer.packString("event_type").packString("sample.issued");
            packer.packString("timestamp_ns").packLong(1L << 40);
            packer.packString("sample_uuid").packString("0123456789abcdef0123456789abcdef");
            packer.packString("conversation_id").packString("");
            packer.packString("turn").packNil();
            packer.packString("data").packNil();
            packer.packString("timestamp_ns").packLong(5);
            packer.packString("sample_uuid").packString("b");
            packer.packString("event_type").packString("sample.complete");
            assertThat(decode(packer.toByteArray())).isNull();
        }
        assertThat(event.type()).isEqualTo(EventType.SAMPLE_COMPLETE);
        assertThat(event.timestampNanos()).isEqualTo(5);
        assertThat(SampleIds.text(event)).isEqualTo("b");
    }

    @Test
    void everyTruncationOfARecordIsMalformed() {
        Random random = Seed.random(EventDecoderTest.class);
        for (int round = 0; round < 200; round++) {
            byte[] whole = encoder.encode(randomRecord(random));
            for (int length = 0; length < whole.length; length++) {
                assertThat(decode(Arrays.copyOf(whole, length))).isNotNull();
            }
        }
    }

    @Test
    void flippedBitsAndRandomBytesNeverCauseAnException() {
        Random random = Seed.random(EventDecoderTest.class);
        for (int round = 0; round < 100; round++) {
            byte[] bytes = encoder.encode(randomRecord(random));
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatCode(() -> decode(bytes)).doesNotThrowAnyException();
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[0] = (byte) (0x80 | random.nextInt(16));
            }
            decode(bytes);
        }
    }

    @Test
    void itAcceptsTheSameRecordsAsATreeReader() {
        Random random = Seed.random(EventDecoderTest.class);
        MsgpackTree tree = new MsgpackTree();
        int accepted = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = encoder.encode(randomRecord(random));
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            if (decode(bytes) == null) {
                accepted++;
                String refused = refusalOf(tree, bytes);
                assertThat(refused).isIn("", "a map key is a container");
            }
        }
        assertThat(accepted).isPositive();
    }

    private static String refusalOf(MsgpackTree tree, byte[] bytes) {
        try {
            tree.read(ByteBuffer.wrap(bytes));
            return "";
        } catch (MalformedMessageException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void decodingAllocatesNothing() {
        Random random = new Random(1);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            records.add(encoder.encode(randomRecord(random)));
        }
        records.add(Golden.hex("c0"));
        records.add(Golden.hex("82aa6576656e745f74797065ad73616d706c652e697373756564a178dbffffffff"));
        List<ByteBuffer> buffers = records.stream().map(ByteBuffer::wrap).toList();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        decodeAll(buffers);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < 200; round++) {
            decodeAll(buffers);
        }
        long perRecord = (threads.getCurrentThreadAllocatedBytes() - before) / (200L * buffers.size());
        assertThat(perRecord).isZero();
    }

    private void decodeAll(List<ByteBuffer> buffers) {
        for (int i = 0; i < buffers.size(); i++) {
            ByteBuffer buffer = buffers.get(i);
            decoder.decode(buffer, 0, buffer.capacity(), event);
        }
    }

    private @Nullable Malformation decode(byte[] record) {
        // Guard bytes and an odd offset: the decoder must not read outside its range.
        ByteBuffer buffer = ByteBuffer.allocate(record.length + 14);
        Arrays.fill(buffer.array(), (byte) 0xa0);
        buffer.put(7, record);
        return decoder.decode(buffer, 7, record.length, event);
    }

    private String describe() {
        return event.type()
                + " " + event.timestampNanos()
                + " " + event.idKind() + " " + SampleIds.text(event)
                + " " + event.finishReason()
                + " " + (event.hasWorkerId() ? event.workerId() : "-")
                + " " + (event.hasSequence() ? event.sequence() : "-")
                + " " + event.dataKind()
                + " " + event.tokenIdCount()
                + " " + new String(event.copyErrorType(100))
                + " " + event.errorMessage(100);
    }

    private byte[] shuffled(byte[] record, Random random) throws IOException {
        Map<?, ?> map = (Map<?, ?>) new MsgpackTree().read(ByteBuffer.wrap(record));
        List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
        Collections.shuffle(entries, random);
        Map<Object, @Nullable Object> shuffled = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : entries) {
            shuffled.put(entry.getKey(), entry.getValue());
        }
        shuffled.put("unknown", List.of(Map.of(1L, new byte[3]), 2.5));
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(shuffled, packer);
            return packer.toByteArray();
        }
    }

    static EventRecord randomRecord(Random random) {
        EventType type = EventType.values()[random.nextInt(EventType.values().length)];
        long timestamp = random.nextInt(4) == 0 ? random.nextLong() : 1_000_000_000_000_000L + random.nextInt();
        String id = switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "request " + random.nextInt(1000);
            case 2 -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
            case 3 -> "é漢😀".repeat(random.nextInt(8));
            default -> String.format("%016x%016x", random.nextLong(), random.nextLong());
        };
        EventData data = switch (random.nextInt(7)) {
            case 0 -> new TextModelOutput(new ModelText.Whole("some text ".repeat(random.nextInt(9))), null, null);
            case 1 ->
                new TextModelOutput(
                        new ModelText.Chunks(List.of("a", "é")),
                        new ModelText.Whole("why"),
                        new ArrayList<>(List.of(Map.of("id", "x"))));
            case 2 -> PromptData.ofTokenIds(Collections.nCopies(random.nextInt(20), 70_000L));
            case 3 -> PromptData.ofText("prompt");
            case 4 -> new ErrorData("Timeout", "after " + random.nextInt() + " s");
            case 5 -> new PhaseData("performance", random.nextBoolean(), (Long) (long) random.nextInt(9000));
            default -> null;
        };
        return new EventRecord(
                type,
                timestamp,
                id,
                random.nextInt(4) == 0 ? "conversation" : "",
                random.nextInt(4) == 0 ? (Long) (long) random.nextInt(300) : null,
                data,
                random.nextInt(3) == 0 ? "stop" : null,
                random.nextInt(3) == 0 ? (Long) (long) random.nextInt(100_000) : null,
                random.nextInt(3) == 0 ? (Long) (random.nextLong() >>> 1) : null,
                random.nextInt(3) == 0 ? (Long) random.nextLong() : null);
    }

    @Test
    void aLifeIsReadFromItsKeyAndAValueOfAnotherTypeIsSkipped() throws IOException {
        EventRecord sent = EventRecord.sample(EventType.SAMPLE_ISSUED, 5, "a").from(3, 4);
        assertThat(decode(encoder.encode(sent.inLife(77)))).isNull();
        assertThat(event.life()).isEqualTo(77);
        assertThat(decode(encoder.encode(sent))).isNull();
        assertThat(event.life()).isEqualTo(DecodedEvent.NO_LIFE);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(2).packString("life").packString("of another kind");
            packer.packString("event_type").packString("sample.issued");
            assertThat(decode(packer.toByteArray())).isNull();
        }
        assertThat(event.life()).isEqualTo(DecodedEvent.NO_LIFE);
    }

    @Test
    void aLongIdPacksTheSameWithTheSameHashSecretAndDifferentlyWithAnother() {
        byte[] record = encoder.encode(
                EventRecord.sample(EventType.SAMPLE_ISSUED, 5, "an id that two longs cannot hold, number 1"));
        DecodedEvent first = new DecodedEvent();
        DecodedEvent again = new DecodedEvent();
        DecodedEvent other = new DecodedEvent();
        assertThat(new EventDecoder(42).decode(ByteBuffer.wrap(record), 0, record.length, first))
                .isNull();
        assertThat(new EventDecoder(42).decode(ByteBuffer.wrap(record), 0, record.length, again))
                .isNull();
        assertThat(new EventDecoder(43).decode(ByteBuffer.wrap(record), 0, record.length, other))
                .isNull();
        assertThat(first.idHigh()).isEqualTo(again.idHigh()).isNotEqualTo(other.idHigh());
        assertThat(first.idLow()).isEqualTo(again.idLow()).isNotEqualTo(other.idLow());
    }
}
