package io.metricsaggregator.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The shortcuts for the usual layout, with records as most are. */
class OrderedKeysDecoderTest {
    private static final int MARGIN = BothDecoders.MARGIN;
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 31, 32, 33, 40, 64, 255, 256, 300, 9000};

    private final BothDecoders both = new BothDecoders();
    private final EventEncoder encoder = new EventEncoder();
    /** Reused, so that a value left over from one record would show in the next. */
    private final DecodedEvent fast = new DecodedEvent();

    private final ByteBuffer among = ByteBuffer.allocateDirect(1 << 16);

    /** Records as load generators send them most, and some with the optional keys. */
    private static EventRecord usual(Random random) {
        String id = random.nextInt(8) == 0
                ? new java.util.UUID(random.nextLong(), random.nextLong()).toString()
                : String.format("%016x%016x", random.nextLong(), random.nextLong());
        EventType type = EventType.values()[random.nextInt(EventType.values().length)];
        EventRecord record = EventRecord.sample(type, random.nextLong() >>> random.nextInt(64), id);
        String text = text(random);
        record = switch (random.nextInt(5)) {
            case 0 -> record.withData(PromptData.ofText(text));
            case 1 -> record.withData(new TextModelOutput(new ModelText.Whole(text), null, null));
            case 2 ->
                record.withData(new TextModelOutput(
                        new ModelText.Chunks(
                                random.nextBoolean()
                                        ? List.of(text, text(random), text)
                                        : Collections.nCopies(random.nextInt(600), "word ")),
                        random.nextInt(4) == 0 ? new ModelText.Whole(text) : null,
                        null));
            default -> record;
        };
        if (random.nextBoolean()) {
            return record;
        }
        record =
                record.from(random.nextLong() >>> 1 + random.nextInt(63), random.nextLong() >>> 1 + random.nextInt(63));
        return random.nextBoolean() ? record : record.inLife(random.nextLong() >>> 1 + random.nextInt(63));
    }

    /** With the number of pairs in two bytes, as msgspec writes it where absent keys are left out. */
    static byte[] withLongHeader(byte[] record) {
        byte[] longer = new byte[record.length + 2];
        System.arraycopy(record, 1, longer, 3, record.length - 1);
        longer[0] = (byte) 0xde;
        longer[2] = (byte) (record[0] & 0xf);
        return longer;
    }

    /** A usual record, or one as this project's clients write it: without absent keys, and with some of what names its source at the end. */
    private byte[] encoded(Random random) throws IOException {
        EventRecord record = usual(random);
        if (random.nextBoolean()) {
            byte[] bytes = encoder.encode(record);
            Long life = record.life();
            if (life != null && life >>> 32 != 0 && random.nextInt(8) == 0) {
                // It is beyond 63 bits, or its key is another.
                int place = bytes.length - (random.nextBoolean() ? 8 : 11);
                bytes[place] ^= (byte) (place == bytes.length - 8 ? 0x80 : 1);
            }
            return bytes;
        }
        byte[] present = encoder.encodePresent(record, null, null);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.addPayload(present);
            int pairs = 0;
            if (random.nextInt(4) > 0) {
                packer.packString("source_id")
                        .packString("worker-7".repeat(random.nextInt(8) > 0 ? random.nextInt(6) : random.nextInt(40)));
                pairs++;
            }
            for (String key : random.nextInt(8) > 0 ? List.of("seq", "life") : List.of("life", "seq", "seq")) {
                if (random.nextInt(8) > 0) {
                    long value = random.nextLong() >>> random.nextInt(64);
                    packer.packString(key);
                    if (random.nextInt(16) == 0) {
                        packer.packBigInteger(BigInteger.ONE.shiftLeft(63).add(BigInteger.valueOf(value >>> 1)));
                    } else {
                        packer.packLong(random.nextInt(16) == 0 ? -value : value);
                    }
                    pairs++;
                }
            }
            byte[] bytes = packer.toByteArray();
            bytes[0] += (byte) pairs;
            return random.nextBoolean() ? bytes : withLongHeader(bytes);
        }
    }

    private byte[] ofPython(String source, long number) throws IOException {
        byte[] present = encoder.encodePresent(
                EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 1L << 50, "0".repeat(32)), null, null);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.addPayload(present);
            packer.packString("source_id").packString(source);
            packer.packString("seq").packLong(number).packString("life").packLong(1L << 60);
            byte[] bytes = packer.toByteArray();
            bytes[0] += 3;
            return withLongHeader(bytes);
        }
    }

    @Test
    void recordsOfAPythonClientAreReadInOrderAndKnownToBeOfOneSource() throws IOException {
        String name = "llm-bench-worker-7d9f8b6c5-x2x9k:4711:9f3c2a1b";
        OrderedKeysDecoder layout = new OrderedKeysDecoder(1);
        List<Long> runs = new ArrayList<>();
        for (String source :
                List.of(name, name, name + "c", name + "c", "c" + name.substring(1), name, "", "", "x", "x")) {
            for (long number : new long[] {127, 128, 70_000, 1L << 32}) {
                byte[] bytes = ofPython(source, number);
                assertThat(layout.read(ByteBuffer.wrap(bytes), 0, bytes.length, fast))
                        .as("no pair is left behind the last")
                        .isEqualTo(bytes.length);
                assertThat(fast.sequence()).isEqualTo(number);
                assertThat(fast.life()).isEqualTo(1L << 60);
                assertThat(new String(fast.copySource(300), UTF_8)).isEqualTo(source);
            }
            runs.add(fast.sourceRun());
        }
        long first = runs.get(0);
        assertThat(runs)
                .containsExactly(
                        first, first, first + 1, first + 1, first + 2, first + 3, 0L, 0L, first + 4, first + 4);
        assertThat(fast.sourceRunOf()).isSameAs(layout);
        byte[] bytes = ofPython(name, 1);
        both.checked(ofPython("x".repeat(255), 1), new Random(1));
        // Three pairs are left so near the end of the longest record that the latest source does not fit.
        byte[] longest = encoder.encodePresent(
                EventRecord.sample(EventType.SAMPLE_ISSUED, 1L << 50, "0".repeat(32))
                        .withData(PromptData.ofText("x".repeat(8050)))
                        .from(1, 2)
                        .inLife(3),
                null,
                null);
        assertThat(longest.length).isBetween(OrderedKeysDecoder.BYTES_MAX - 30, OrderedKeysDecoder.BYTES_MAX);
        assertThat(both.checked(longest, new Random(1))).isNull();
        byte[] withoutNumber = Arrays.copyOf(bytes, bytes.length - 1);
        System.arraycopy(bytes, bytes.length - 14, withoutNumber, bytes.length - 15, 14);
        both.checked(bytes, new Random(1));
        both.checked(withoutNumber, new Random(1));
        new OrderedKeysDecoder(1).read(ByteBuffer.wrap(bytes), 0, bytes.length, fast);
        assertThat(fast.sourceRunOf()).as("of another decoder").isNotSameAs(layout);
    }

    private static String text(Random random) {
        String text = "the quick brown fox ".repeat(500).substring(0, LENGTHS[random.nextInt(LENGTHS.length)]);
        if (text.isEmpty() || random.nextInt(3) > 0) {
            return text;
        }
        int at = random.nextInt(text.length());
        return text.substring(0, at) + "é" + text.substring(at + 1);
    }

    @Test
    void usual_records_decode_as_by_the_general_decoder() throws IOException {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = encoded(random);
            assertThat(both.checked(bytes, random)).as(BothDecoders.hex(bytes)).isNull();
            both.checked(encoder.encode(EventDecoderTest.randomRecord(random)), random);
        }
    }

    private static EventData[] shortcutData() {
        return new @Nullable EventData[] {
            null,
            PromptData.ofText(""),
            PromptData.ofText("x".repeat(31)),
            new TextModelOutput(new ModelText.Whole("x".repeat(32)), null, null),
            new TextModelOutput(new ModelText.Whole("x".repeat(256)), null, null),
            new TextModelOutput(new ModelText.Chunks(List.of()), null, null),
            new TextModelOutput(new ModelText.Chunks(Collections.nCopies(300, "x".repeat(24))), null, null)
        };
    }

    @Test
    void records_as_encoders_write_them_are_read_to_their_end_without_the_general_decoder() {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        List<String> ids = List.of(
                "0123456789abcdef".repeat(2),
                "0123456789abcdef".repeat(3),
                UUID.randomUUID().toString(),
                "",
                "a",
                "x".repeat(31),
                "é".repeat(127));
        long[] numbers = {0, 127, 128, 255, 256, 0xffff, 0x10000, 0xffffffffL, 1L << 32, Long.MAX_VALUE};
        for (EventType type : EventType.values()) {
            for (int i = 0; i < 7 * numbers.length; i++) {
                EventRecord record = EventRecord.sample(type, 1L << 40, ids.get(random.nextInt(ids.size())))
                        .withData(shortcutData()[i % 7]);
                EventRecord numbered = record.from(numbers[i / 7], numbers[random.nextInt(numbers.length)]);
                assertReadToTheEnd(record.type(), encoder.encode(record));
                assertReadToTheEnd(record.type(), encoder.encode(numbered));
                if (!record.sampleUuid().isEmpty()) {
                    assertReadToTheEnd(type, encoder.encodePresent(record.withData(null), null, null));
                    assertReadToTheEnd(type, encoder.encodePresent(numbered.inLife(numbers[i / 7]), null, null));
                    byte[] own = encoder.encodePresent(numbered.inLife(0), "x".repeat(i), null);
                    assertReadToTheEnd(type, own);
                    assertReadToTheEnd(type, withLongHeader(own));
                }
            }
        }
    }

    private void assertReadToTheEnd(EventType type, byte[] bytes) {
        if (type.wireName().length() <= 24 && bytes.length >= OrderedKeysDecoder.BYTES_MIN) {
            among.clear().put(MARGIN, bytes);
            OrderedKeysDecoder layout = new OrderedKeysDecoder(7);
            assertThat(layout.read(among, MARGIN, bytes.length, fast))
                    .as(BothDecoders.hex(bytes))
                    .isEqualTo(MARGIN + bytes.length);
            int header = bytes[0] == (byte) 0xde ? 3 : 1;
            among.putLong(MARGIN + header + 26 + type.wireName().length(), 0);
            assertThat(layout.read(among, MARGIN, bytes.length, fast))
                    .as("at time 0")
                    .isEqualTo(MARGIN + bytes.length);
        }
    }

    @Test
    void a_record_is_not_completed_by_bytes_of_the_one_before() {
        for (EventData data : shortcutData()) {
            EventRecord record = EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 1L << 40, "0f".repeat(16))
                    .withData(data);
            EventRecord numbered = record.from(3, 70_000).inLife(300);
            for (byte[] whole : List.of(
                    encoder.encode(record),
                    encoder.encode(record.from(3, 4)),
                    encoder.encode(numbered),
                    encoder.encode(numbered.inLife(1L << 60)),
                    encoder.encodePresent(record.withData(null), null, null),
                    encoder.encodePresent(numbered, "load-1", null),
                    withLongHeader(encoder.encodePresent(numbered, "load-1".repeat(9), null)))) {
                both.requireWhole(whole);
            }
        }
    }

    @Test
    void records_with_a_few_other_bytes_decode_as_by_the_general_decoder() throws IOException {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        byte[] markers = HexFormat.of().parseHex("80868890919497989fa0a4afc0c1c2c4cccdcecfd0d3d9dadbdcde7fe0ff");
        int malformed = 0;
        for (int round = 0; round < 30_000; round++) {
            byte[] bytes = encoded(random);
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                int at = random.nextInt(Math.min(bytes.length, random.nextBoolean() ? 160 : 9000));
                bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : markers[random.nextInt(markers.length)];
            }
            malformed += both.checked(bytes, random) == null ? 0 : 1;
        }
        assertThat(malformed).isBetween(3_000, 27_000);
    }

    @Test
    void records_cut_short_or_with_bytes_behind_them_decode_as_by_the_general_decoder() throws IOException {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = encoded(random);
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length - 1 - random.nextInt(12);
            assertThat(both.checked(Arrays.copyOf(bytes, length), random)).isNotNull();
            assertThat(both.checked(Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(4)), random))
                    .isEqualTo(Malformation.TRAILING_BYTES);
        }
    }

    @Test
    void every_byte_of_a_usual_record_may_be_any_other() throws IOException {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        EventRecord record = EventRecord.sample(
                        EventType.SAMPLE_COMPLETE, 1_000_000_000_000L, "0123456789abcdef".repeat(2))
                .withData(new TextModelOutput(new ModelText.Chunks(List.of("answer", "and more")), null, null))
                .from(3, 70_000);
        both.everyByte(encoder.encode(record), random);
        both.everyByte(encoder.encode(record.withData(null).inLife(1L << 60)), random);
        both.everyByte(encoder.encodePresent(record.inLife(9), "load-1", null), random);
        both.everyByte(encoder.encodePresent(record.withData(null), "load-1", null), random);
        both.everyByte(withLongHeader(encoder.encodePresent(record.withData(null), "load-1".repeat(9), null)), random);
    }

    @Test
    void malformed_records_of_the_golden_files_decode_as_by_the_general_decoder() throws IOException {
        Random random = Seed.random(OrderedKeysDecoderTest.class);
        for (String file : List.of("08a_malformed/malformed_records.json", "08b_poison/poison_records.json")) {
            for (Map.Entry<String, byte[]> record : Golden.records(file)) {
                both.checked(record.getValue(), random);
            }
        }
    }
}
