package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** A decoded record has the encoded values in every field, whatever the reused object held before. */
class DecodedEventTest {
    private static final int MARGIN = 7;
    private static final List<String> REASONS =
            List.of("stop", "length", "tool_calls", "content_filter", "function_call", "stopp", "lengtg", "", "STOP");

    private final EventDecoder decoder = new EventDecoder();
    /** A single instance for all records, so that a value left over from one record would show in the next. */
    private final DecodedEvent event = new DecodedEvent();

    private static byte[] packed(Map<String, ?> record) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        }
    }

    /** Decodes the record from the middle of a buffer. */
    private void decode(Map<String, ?> record) throws IOException {
        byte[] bytes = packed(record);
        byte[] among = new byte[bytes.length + 2 * MARGIN];
        Arrays.fill(among, (byte) 0xa1);
        System.arraycopy(bytes, 0, among, MARGIN, bytes.length);
        assertThat(decoder.decode(ByteBuffer.wrap(among), MARGIN, bytes.length, event))
                .as("%s", record)
                .isNull();
    }

    private static String text(Random random, int longest) {
        String all = "abcdef0123456789-XYZ äß€𝄞";
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(longest + 1);
        while (text.length() < length) {
            text.appendCodePoint(
                    all.codePointAt(all.offsetByCodePoints(0, random.nextInt(all.codePointCount(0, all.length())))));
        }
        return text.toString();
    }

    private static String id(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> String.format("%016x%016x", random.nextLong(), random.nextLong());
            case 1 -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
            default -> text(random, 60);
        };
    }

    private static Map<String, Object> record(Random random) {
        Map<String, Object> fields = new LinkedHashMap<>();
        EventType[] types = EventType.values();
        fields.put("event_type", types[random.nextInt(types.length)].wireName());
        fields.put(
                "timestamp_ns",
                random.nextInt(4) == 0 ? random.nextInt(300) - 150L : random.nextLong() >> random.nextInt(40));
        fields.put("sample_uuid", id(random));
        if (random.nextBoolean()) {
            fields.put("conversation_id", text(random, 20));
        }
        if (random.nextBoolean()) {
            fields.put("turn", random.nextBoolean() ? null : random.nextInt(9));
        }
        if (random.nextBoolean()) {
            fields.put("data", null);
        }
        if (random.nextBoolean()) {
            fields.put("finish_reason", REASONS.get(random.nextInt(REASONS.size())));
        }
        if (random.nextBoolean()) {
            fields.put(
                    "worker_id",
                    random.nextInt(5) == 0
                            ? (Object) BigInteger.ONE.shiftLeft(63)
                            : random.nextLong() >>> random.nextInt(64));
        }
        if (random.nextBoolean()) {
            fields.put("seq", any(random));
        }
        if (random.nextBoolean()) {
            fields.put("scheduled_ns", any(random));
        }
        if (random.nextBoolean()) {
            fields.put("source_id", random.nextInt(4) == 0 ? any(random) : text(random, 40));
        }
        if (random.nextBoolean()) {
            fields.put("custom_key", Map.of("seq", List.of(1, 2.5, "x"), "worker_id", 7));
        }
        if (random.nextInt(3) > 0) {
            return fields;
        }
        List<Map.Entry<String, Object>> entries = new ArrayList<>(fields.entrySet());
        Collections.shuffle(entries, random);
        Map<String, Object> shuffled = new LinkedHashMap<>();
        entries.forEach(each -> shuffled.put(each.getKey(), each.getValue()));
        return shuffled;
    }

    private static Object any(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> BigInteger.ONE.shiftLeft(63);
            case 1 -> 2.5;
            case 2 -> List.of("seq");
            case 3 -> -1L - random.nextInt(5);
            default -> random.nextLong() >>> 1 + random.nextInt(63);
        };
    }

    private static long exact(Object value) {
        return value instanceof BigInteger ? Long.MAX_VALUE : ((Number) value).longValue();
    }

    @Test
    void everyFieldReadsAsItWasWrittenInAnyOrder() throws IOException {
        Random random = Seed.random(DecodedEventTest.class);
        for (int round = 0; round < 20_000; round++) {
            Map<String, Object> fields = record(random);
            decode(fields);
            assertThat(event.type().wireName()).isEqualTo(fields.get("event_type"));
            assertThat(event.hasTimestamp()).isTrue();
            assertThat(event.timestampNanos()).isEqualTo(fields.get("timestamp_ns"));
            String id = (String) fields.get("sample_uuid");
            byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
            assertThat(SampleIds.text(event)).isEqualTo(id);
            assertThat(event.idLength()).isEqualTo(idBytes.length);
            assertThat(event.idTextEquals(idBytes)).isTrue();
            assertThat(event.idTextEquals(Arrays.copyOf(idBytes, idBytes.length + 1)))
                    .isFalse();
            assertThat(event.copyIdText()).isEqualTo(idBytes);
            assertThat(id).startsWith(new String(event.copyIdText(10), StandardCharsets.UTF_8));
            assertThat(event.copyIdText(10)).hasSizeBetween(Math.min(idBytes.length, 7), 10);
            if (idBytes.length > 0) {
                byte[] other = idBytes.clone();
                other[random.nextInt(other.length)]++;
                assertThat(event.idTextEquals(other)).isFalse();
            }
            assertThat(event.finishReason()).isEqualTo(reason(fields.get("finish_reason")));
            assertThat(event.hasWorkerId()).isEqualTo(fields.containsKey("worker_id"));
            if (event.hasWorkerId()) {
                assertThat(event.workerId()).isEqualTo(exact(fields.get("worker_id")));
            }
            boolean numbered = fields.get("seq") instanceof Long seq && seq >= 0;
            assertThat(event.hasSequence()).as("%s", fields).isEqualTo(numbered);
            if (numbered) {
                assertThat(event.sequence()).isEqualTo(fields.get("seq"));
            }
            boolean scheduled = fields.get("scheduled_ns") instanceof Long;
            assertThat(event.hasScheduled()).as("%s", fields).isEqualTo(scheduled);
            if (scheduled) {
                assertThat(event.scheduledNanos()).isEqualTo(fields.get("scheduled_ns"));
            }
            assertSource(fields.get("source_id") instanceof String source ? source : "");
            assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.NONE);
            assertThat(event.tokenIdCount()).isEqualTo(-1);
        }
    }

    private static FinishReason reason(Object text) {
        if (text == null) {
            return null;
        }
        return Arrays.stream(FinishReason.values())
                .filter(each -> each.wireName().equals(text))
                .findFirst()
                .orElse(FinishReason.OTHER);
    }

    private void assertSource(String source) {
        byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
        assertThat(event.hasSourceId()).isEqualTo(bytes.length > 0);
        assertThat(event.copySource(256)).isEqualTo(bytes);
        assertThat(event.sourceEquals(bytes, 256)).isTrue();
        assertThat(event.sourceHash(256)).isEqualTo(Arrays.hashCode(bytes));
        for (int i = 0; i < bytes.length; i++) {
            byte[] other = bytes.clone();
            other[i] ^= 1;
            assertThat(event.sourceEquals(other, 256)).isFalse();
        }
        byte[] cut = event.copySource(10);
        assertThat(source).startsWith(new String(cut, StandardCharsets.UTF_8));
        assertThat(cut.length).isBetween(Math.min(bytes.length, 7), 10);
        assertThat(event.sourceEquals(cut, 10)).isTrue();
        assertThat(event.sourceHash(10)).isEqualTo(Arrays.hashCode(cut));
    }

    @Test
    void aKeyThatIsAlmostAKnownOneIsIgnored() throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("event_type", 5);
        values.put("timestamp_ns", "no time");
        values.put("sample_uuid", 5);
        values.put("conversation_id", 5);
        values.put("turn", "no turn");
        values.put("data", 5);
        values.put("finish_reason", 5);
        values.put("worker_id", "no number");
        values.put("seq", 5L);
        values.put("scheduled_ns", 5L);
        values.put("source_id", "somebody");
        for (Map.Entry<String, Object> each : values.entrySet()) {
            String key = each.getKey();
            List<String> almost = new ArrayList<>(List.of(key + "s", key.substring(1)));
            for (int i = 0; i < key.length(); i++) {
                for (int change : new int[] {1, 2, 32}) {
                    char other = (char) (key.charAt(i) ^ change);
                    almost.add(key.substring(0, i) + other + key.substring(i + 1));
                }
            }
            for (String name : almost) {
                Map<String, Object> record = new LinkedHashMap<>();
                record.put("event_type", "sample.issued");
                record.put("timestamp_ns", 1L);
                record.put("sample_uuid", "a");
                record.put(name, each.getValue());
                decode(record);
                assertThat(event.hasSequence() || event.hasScheduled() || event.hasSourceId() || event.hasWorkerId())
                        .as(name)
                        .isFalse();
                assertThat(event.timestampNanos()).isEqualTo(1);
                assertThat(SampleIds.text(event)).isEqualTo("a");
            }
        }
    }

    @Test
    void theFastPathAcceptsOnlyTheExactUsualLayout() throws IOException {
        // Each case differs from the encoder's layout in one place.
        List<String> keys = List.of("event_type", "timestamp_ns", "sample_uuid", "conversation_id", "turn", "data");
        for (int changed = 0; changed < keys.size(); changed++) {
            Map<String, Object> record = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                record.put(i == changed ? keys.get(i).replaceFirst(".$", "_") : keys.get(i), value(keys.get(i)));
            }
            record.put("event_type", "sample.complete");
            record.put("timestamp_ns", 77L);
            decode(record);
            assertThat(event.type()).isEqualTo(EventType.SAMPLE_COMPLETE);
            assertThat(event.timestampNanos()).isEqualTo(77);
            assertThat(SampleIds.text(event)).isEqualTo(changed == 2 ? "" : "a");
        }
    }

    private static Object value(String key) {
        return switch (key) {
            case "event_type" -> "sample.issued";
            case "timestamp_ns" -> 1L << 40;
            case "sample_uuid" -> "a";
            case "conversation_id" -> "";
            default -> null;
        };
    }

    @Test
    void errorsAndPromptsAreReadWholeOrUpToTheLimit() throws IOException {
        Random random = Seed.random(DecodedEventTest.class);
        EventEncoder encoder = new EventEncoder();
        for (int round = 0; round < 3000; round++) {
            String type = text(random, 30);
            String message = text(random, 300);
            int tokens = random.nextInt(40);
            boolean error = random.nextBoolean();
            EventRecord record = EventRecord.sample(
                            error ? EventType.ERROR_CLIENT : EventType.SAMPLE_ISSUED,
                            random.nextLong() >>> 1,
                            id(random))
                    .withData(
                            error
                                    ? new ErrorData(type, message)
                                    : PromptData.ofTokenIds(Collections.nCopies(tokens, 7L)));
            byte[] bytes = encoder.encode(record);
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .isNull();
            ByteBuffer copied = ByteBuffer.allocate(event.dataLength() + 3);
            event.copyData(copied, 3);
            assertThat(event.dataLength()).isPositive();
            assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                    .contains(new String(copied.array(), 3, event.dataLength(), StandardCharsets.ISO_8859_1));
            if (error) {
                byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
                assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.ERROR_DATA);
                assertThat(event.copyErrorType(256)).isEqualTo(typeBytes);
                assertThat(event.errorTypeEquals(typeBytes, 256)).isTrue();
                assertThat(event.errorTypeEquals((type + "x").getBytes(StandardCharsets.UTF_8), 256))
                        .isFalse();
                assertThat(event.errorMessage(2000)).isEqualTo(message);
                assertThat(message).startsWith(event.errorMessage(50));
                assertThat(event.tokenIdCount()).isEqualTo(-1);
            } else {
                assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.PROMPT_DATA);
                assertThat(event.tokenIdCount()).isEqualTo(tokens);
                assertThat(event.errorMessage(50)).isEmpty();
                assertThat(event.copyErrorType(50)).isEmpty();
            }
        }
    }

    private Malformation decodeData(List<?> data) throws IOException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put("timestamp_ns", 1L);
        record.put("sample_uuid", "a");
        record.put("data", data);
        record.put("finish_reason", "stop");
        byte[] bytes = packed(record);
        return decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
    }

    private static List<Object> tagged(String tag, List<?> values) {
        List<Object> data = new ArrayList<>(List.of(tag));
        data.addAll(values);
        return data;
    }

    /** Compatibility with producers of other versions: missing elements have their defaults, extra ones are ignored, wrong types are rejected. */
    @Test
    void dataMayBeShorterOrLongerThanKnownButNotOfAnotherType() throws IOException {
        List<Object> text = Arrays.asList(
                "t", List.of(1L, 2L, 3L), List.of(Map.of("role", "user")), 5L, Map.of(), "x", "any", 9L, "more");
        List<Object> nothing = Arrays.asList(null, null, null, null, null, null, null, List.of());
        Map<String, List<List<Object>>> good = Map.of(
                "PromptData", List.of(text, nothing),
                "TextModelOutput",
                        List.of(
                                Arrays.asList("out", "why", List.of(Map.of("n", 1L)), 7L),
                                Arrays.asList(List.of("a", "b"), List.of("c"), List.of(List.of(Map.of())), 7L),
                                Arrays.asList("out", null, null, null)),
                "ErrorData", List.of(List.of("Timeout", "late", 7L)));
        for (Map.Entry<String, List<List<Object>>> each : good.entrySet()) {
            for (List<Object> values : each.getValue()) {
                for (int length = each.getKey().equals("ErrorData") ? 1 : 0; length <= values.size(); length++) {
                    assertThat(decodeData(tagged(each.getKey(), values.subList(0, length))))
                            .as("%d of %s", length, values)
                            .isNull();
                    assertThat(event.finishReason()).as("the field after it").isEqualTo(FinishReason.STOP);
                    boolean ids = values == text && length > 1;
                    assertThat(event.tokenIdCount()).isEqualTo(ids ? 3 : -1);
                }
            }
        }
        assertThat(decodeData(tagged("ErrorData", List.of()))).isEqualTo(Malformation.DATA_INVALID);
        assertThat(decodeData(List.of())).isEqualTo(Malformation.DATA_INVALID);
        assertThat(decodeData(List.of(5L, "t"))).isEqualTo(Malformation.DATA_INVALID);
        for (String tag : List.of(
                "PromptDate", "QromptData", "TextModelOutpuu", "UextModelOutput", "ErrorDatb", "FrrorData", "x")) {
            assertThat(decodeData(List.of(tag, "t"))).as(tag).isEqualTo(Malformation.DATA_INVALID);
        }
        List<List<Object>> wrong = List.of(
                tagged("PromptData", List.of(5L)),
                tagged("PromptData", List.of("t", "no ids")),
                tagged("PromptData", List.of("t", List.of(1L, 2.5))),
                tagged("PromptData", List.of("t", List.of(), List.of("no map"))),
                tagged("PromptData", List.of("t", List.of(), 5L)),
                tagged("PromptData", List.of("t", List.of(), List.of(), 1L, 1L, 5L)),
                tagged("TextModelOutput", List.of(5L)),
                tagged("TextModelOutput", List.of(List.of("a", 5L))),
                tagged("TextModelOutput", Arrays.asList((Object) null)),
                tagged("TextModelOutput", List.of("a", List.of(5L))),
                tagged("TextModelOutput", List.of("a", "b", "no calls")),
                tagged("TextModelOutput", List.of("a", "b", List.of(5L))),
                tagged("ErrorData", Arrays.asList((Object) null)),
                tagged("ErrorData", List.of("a", 5L)));
        for (List<Object> each : wrong) {
            assertThat(decodeData(each)).as("%s", each).isEqualTo(Malformation.DATA_INVALID);
        }
    }
}
