package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The shortcuts for pairs that only some records have. */
class OrderedKeysValuesTest {
    private static final BigInteger ABOVE_LONG = BigInteger.ONE.shiftLeft(63);

    private static final List<Object> PROMPT =
            Arrays.asList("PromptData", "a question", null, null, null, null, null, null);

    /** By key, values that are read without the general decoder. */
    private static final Map<String, List<Object>> USUAL = Map.of(
            "conversation_id", List.of("", "c", "x".repeat(31), "x".repeat(32), "x".repeat(255), "x".repeat(300)),
            "turn", List.of(0, 1, 2, 127, 128, 70_000, Long.MAX_VALUE),
            "tokens", List.of(0, 1, 127, 128, 4096),
            "part", List.of("reasoning", "output", "tool_calls"),
            "handle", List.of(0, 127, 255, 256, 65_535, 65_536, (1 << 20) - 1),
            "scheduled_ns", List.of(0, 1L << 40, Long.MAX_VALUE),
            "data", List.of(PROMPT),
            "seq", List.of(3, 70_000),
            "source_id", List.of("load-1", "x".repeat(40)));

    /** By key, values that others have to read, or that they reject. */
    private static final Map<String, List<Object>> OTHERS = Map.of(
            "conversation_id", List.of("é", 3, List.of()),
            "turn", List.of(-1, ABOVE_LONG, "one", 1.5),
            "tokens", List.of(-1, 4097, ABOVE_LONG, "one", Map.of()),
            "part", List.of("", "outputs", "thought", 7, "é"),
            "handle", List.of(-1, 1 << 20, ABOVE_LONG, true),
            "scheduled_ns", List.of(-1, ABOVE_LONG, "now"),
            "usage", List.of(Map.of("prompt_tokens", 3), 1),
            "finish_reason", List.of("stop", "other"),
            "unknown", List.of(1, List.of(Map.of("a", 1))));

    private final Random random = Seed.random(OrderedKeysValuesTest.class);
    private final BothDecoders both = new BothDecoders();

    private record Pair(String key, @Nullable Object value) {}

    private static byte[] record(List<Pair> pairs) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(3 + pairs.size());
            packer.packString("event_type").packString("sample.recv_first");
            packer.packString("timestamp_ns").packLong(1L << 50);
            packer.packString("sample_uuid").packString("0123456789abcdef".repeat(2));
            for (Pair each : pairs) {
                packer.packString(each.key);
                MsgpackTree.write(each.value, packer);
            }
            return packer.toByteArray();
        }
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private Pair pair(Map<String, List<Object>> from) {
        String key = oneOf(from.keySet().stream().sorted().toList());
        return new Pair(key, oneOf(from.get(key)));
    }

    @Test
    void pairs_with_usual_values_are_read_to_the_end_in_any_order() throws IOException {
        for (int round = 0; round < 2_000; round++) {
            List<Pair> pairs = new ArrayList<>(List.of(new Pair("data", null), new Pair("turn", null)));
            USUAL.forEach((key, values) -> pairs.add(new Pair(key, oneOf(values))));
            Collections.shuffle(pairs, random);
            byte[] bytes = record(pairs);
            both.requireUsual(bytes);
            assertThat(both.checked(bytes, random)).isNull();
        }
    }

    @Test
    void other_values_and_keys_among_usual_ones_decode_as_by_the_general_decoder() throws IOException {
        int malformed = 0;
        for (int round = 0; round < 30_000; round++) {
            List<Pair> pairs = new ArrayList<>();
            for (int i = random.nextInt(12); i > 0; i--) {
                pairs.add(random.nextInt(4) > 0 ? pair(USUAL) : pair(OTHERS));
                if (random.nextInt(16) == 0) {
                    pairs.add(new Pair(pairs.get(0).key, null));
                }
            }
            byte[] bytes = record(pairs);
            malformed += both.checked(bytes, random) == null ? 0 : 1;
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            both.checked(bytes, random);
        }
        assertThat(malformed).isBetween(1_000, 20_000);
    }

    @Test
    void every_byte_may_be_any_other() throws IOException {
        both.everyByte(
                record(List.of(
                        new Pair("conversation_id", "conversation-7"),
                        new Pair("turn", 200),
                        new Pair("data", null),
                        new Pair("scheduled_ns", 1L << 40),
                        new Pair("usage", Map.of("prompt_tokens", 3)),
                        new Pair("handle", 70_000),
                        new Pair("tokens", 130),
                        new Pair("part", "tool_calls"))),
                random);
    }

    @Test
    void a_record_is_not_completed_by_bytes_of_the_one_before() throws IOException {
        for (String last : USUAL.keySet()) {
            for (Object value : USUAL.get(last)) {
                both.requireWhole(record(Arrays.asList(new Pair("data", null), new Pair(last, value))));
            }
            both.requireWhole(record(List.of(new Pair(last, USUAL.get(last).get(0)), new Pair("data", null))));
        }
        both.requireWhole(record(List.of(new Pair("conversation_id", "c"), new Pair("turn", null))));
    }
}
