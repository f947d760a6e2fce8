package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.event.server.DecodedServer;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** A decoder and an event that are reused tell of a record what new ones tell, whatever they decoded before. */
class ReusedEventTest {
    private static final int START = 3;
    /** Fields that hold no value of a record: places beyond the count of labels, whether a value needs clearing, and the number of a run, which each decoder counts. */
    private static final Set<String> INTERNAL = Set.of(
            "job",
            "labels.places",
            "usage.touched",
            "server.touched",
            "server.buffer",
            "buffer",
            "sourceRun",
            "sourceRunOf");

    private final EventDecoder reusedDecoder = new EventDecoder(7);
    private final DecodedEvent reused = new DecodedEvent();
    private final EventEncoder encoder = new EventEncoder();

    /** Every field of a decoded event, private ones and those of its parts included, by name. */
    private static Map<String, Object> fields(DecodedEvent event) throws IllegalAccessException {
        Map<String, Object> fields = new TreeMap<>();
        add("", event, fields);
        if (event.hasLabels()) {
            fields.put("labels", event.labels().toMap());
        }
        fields.put("ofRun", event.sourceRun() != 0);
        fields.put("job", event.job().toKeys());
        fields.put("job.rejected", event.job().isRejected());
        return fields;
    }

    private static void add(String prefix, Object of, Map<String, Object> into) throws IllegalAccessException {
        for (Class<?> type = of.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field each : type.getDeclaredFields()) {
                if (Modifier.isStatic(each.getModifiers()) || INTERNAL.contains(prefix + each.getName())) {
                    continue;
                }
                each.setAccessible(true);
                Object value = each.get(of);
                if (value instanceof DecodedConversation
                        || value instanceof DecodedLabels
                        || value instanceof DecodedTrace
                        || value instanceof DecodedUsage
                        || value instanceof DecodedServer) {
                    add(prefix + each.getName() + ".", value, into);
                } else if (value instanceof long[] longs) {
                    into.put(prefix + each.getName(), Arrays.toString(longs));
                } else if (!(value instanceof DecodedEvent)) {
                    into.put(prefix + each.getName(), String.valueOf(value));
                }
            }
        }
    }

    /** Decodes a record by the reused event and by a new one; false for a malformed record, of which an event tells nothing. */
    private boolean check(byte[] record) throws IllegalAccessException {
        ByteBuffer buffer = ByteBuffer.allocate(START + record.length + OrderedKeysDecoder.SLACK)
                .put(START, record);
        DecodedEvent fresh = new DecodedEvent();
        Malformation expected = new EventDecoder(7).decode(buffer, START, record.length, fresh);
        Malformation actual = reusedDecoder.decode(buffer, START, record.length, reused);
        String hex = HexFormat.of().formatHex(record);
        assertThat(actual).as(hex).isEqualTo(expected);
        if (expected != null) {
            return false;
        }
        assertThat(fields(reused)).as(hex).isEqualTo(fields(fresh));
        // What the receiver does to an event ends with its record too.
        reused.stamp(1);
        return true;
    }

    private static Object value(Random random, Object... values) {
        return values[random.nextInt(values.length)];
    }

    private static @Nullable Object data(Random random) {
        return value(
                random,
                List.of("TextModelOutput", "answer", "why"),
                List.of("TextModelOutput", List.of("an", "swer"), List.of("w", "hy")),
                List.of("TextModelOutput", "answer"),
                List.of("TextModelOutput"),
                List.of("PromptData", "text"),
                Arrays.asList("PromptData", null, List.of(1, 2, 3)),
                List.of("ErrorData", "Timeout", "after 3 s"),
                List.of("ErrorData", "Reset"),
                List.of("PhaseData", "performance", 300),
                List.of("PhaseData", "warmup", 300),
                List.of("PhaseData"),
                List.of("Unknown"),
                7,
                NIL);
    }

    private static final Object NIL = new Object();

    /** A record with any keys, in any order, with values that are valid, invalid and nil. */
    private static byte[] anyRecord(Random random) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("timestamp_ns", random.nextLong() >>> 1);
        all.put("sample_uuid", value(random, "", "a", "é", "f".repeat(32), "x".repeat(40), 5));
        all.put("conversation_id", value(random, "", "c", "conversation", 5));
        all.put("turn", value(random, 0, 1, 2, NIL, "left"));
        all.put("data", data(random));
        all.put("finish_reason", value(random, "stop", "length", "odd", 2.5));
        all.put("worker_id", value(random, 0, 3, "rank0"));
        all.put("seq", value(random, 0, 3, -1, "x", NIL));
        all.put("source_id", value(random, "", "worker-1", 3, NIL));
        all.put("scheduled_ns", value(random, 0, 5, -3, "x", NIL));
        all.put("life", value(random, 0, 5, -3, "x", NIL));
        all.put("part", value(random, "reasoning", "output", "tool_calls", "nonsense", 5, NIL));
        all.put("tokens", value(random, 0, 5, 4097, -1, "x", NIL));
        all.put("last_turn", value(random, true, false, 5, NIL));
        all.put("job_id", value(random, "", "job-1", 5, NIL));
        all.put("parents", value(random, List.of("a", "b"), List.of(), List.of(5), "a", NIL));
        all.put("agent", value(random, "planner", "x".repeat(65), 5, NIL));
        all.put("last_of_job", value(random, true, false, 5, NIL));
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        all.put("traceparent", value(random, traceparent, traceparent.toUpperCase(Locale.ROOT), "00-1", 5, NIL));
        all.put("response_id", value(random, "chatcmpl-1", "x".repeat(257), 5, NIL));
        all.put("labels", value(random, Map.of("k", "v", "l", "w"), Map.of(), Map.of("k", 5), 5, NIL));
        all.put(
                "usage",
                value(
                        random,
                        Map.of("prompt_tokens", 5, "completion_tokens", 7, "by", "client"),
                        Map.of("reasoning_tokens", 2, "by", "server"),
                        Map.of("by", "client"),
                        Map.of("cached_tokens", -1),
                        Map.of(),
                        5,
                        NIL));
        all.put("another", value(random, 1, "x", List.of(1, 2)));
        List<String> keys = new ArrayList<>(all.keySet());
        Collections.shuffle(keys, random);
        keys = new ArrayList<>(keys.subList(0, random.nextInt(keys.size() + 1)));
        keys.add(random.nextInt(keys.size() + 1), "event_type");
        all.put("event_type", value(random, "sample.issued", "sample.recv_first", "sample.complete", "transfer.stats"));
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(keys.size());
            for (String key : keys) {
                packer.packString(key);
                Object each = all.get(key);
                MsgpackTree.write(each == NIL ? null : each, packer);
            }
            return packer.toByteArray();
        }
    }

    private byte[] record(Random random) throws IOException {
        byte[] bytes = switch (random.nextInt(6)) {
            case 0, 1 -> anyRecord(random);
            case 2 -> encoder.encodePresent(encoded(random), "load-" + random.nextInt(3), null);
            default -> encoder.encode(encoded(random));
        };
        if (random.nextInt(20) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** A record in the layout of encoders, with and without keys behind it. */
    private static EventRecord encoded(Random random) {
        EventRecord record = EventDecoderTest.randomRecord(random);
        return switch (random.nextInt(7)) {
            case 5 ->
                record.withServer(ServerTimes.from(ServerTimes.Source.BODY)
                        .with(ServerKey.QUEUE_NS, 5)
                        .onNodes("p", null));
            case 0 -> record.withUsage(Usage.of(5, 7));
            case 1 -> record.withPart(ChunkPart.values()[random.nextInt(3)]).withTokens(random.nextInt(9));
            case 2 -> record.withLabels(Map.of("endpoint", "a" + random.nextInt(3)));
            case 3 ->
                EventRecord.sample(EventType.SAMPLE_COMPLETE, random.nextLong() >>> 1, "0123456789abcdef".repeat(2))
                        .withData(new TextModelOutput(new ModelText.Whole("answer"), null, null));
            case 4 ->
                EventRecord.sample(EventType.SAMPLE_COMPLETE, random.nextLong() >>> 1, "fedcba9876543210".repeat(2));
            default -> record;
        };
    }

    @Test
    void no_field_of_a_record_outlives_it() throws IOException, IllegalAccessException {
        Random random = Seed.random(ReusedEventTest.class);
        int wellFormed = 0;
        for (int round = 0; round < 40_000; round++) {
            wellFormed += check(record(random)) ? 1 : 0;
        }
        assertThat(wellFormed).isGreaterThan(20_000);
    }

    @Test
    void a_record_tells_the_same_in_every_order_of_the_records() throws IOException, IllegalAccessException {
        Random random = Seed.random(ReusedEventTest.class);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            records.add(record(random));
        }
        for (int order = 0; order < 200; order++) {
            Collections.shuffle(records, random);
            for (byte[] each : records) {
                check(each);
            }
        }
    }

    @Test
    void an_output_without_reasoning_or_no_output_has_no_reasoning_after_one_that_has() throws IllegalAccessException {
        EventRecord complete = EventRecord.sample(EventType.SAMPLE_COMPLETE, 9, "0123456789abcdef".repeat(2));
        check(encoder.encode(
                complete.withData(new TextModelOutput(new ModelText.Whole("hi"), new ModelText.Whole("why"), null))));
        assertThat(reused.hasReasoning()).isTrue();
        check(encoder.encode(complete));
        assertThat(reused.hasReasoning()).isFalse();
    }
}
