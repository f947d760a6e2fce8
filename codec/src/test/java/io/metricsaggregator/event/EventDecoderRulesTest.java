package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.server.ServerKey;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** What a record tells whose keys are repeated, break a rule or are cut off. */
class EventDecoderRulesTest {
    private final DecodedEvent event = new DecodedEvent();

    private @Nullable Malformation decode(byte[] record) {
        return new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, event);
    }

    private static byte[] packed(@Nullable Object... keysAndValues) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(keysAndValues.length / 2);
            for (Object each : keysAndValues) {
                MsgpackTree.write(each, packer);
            }
            return packer.toByteArray();
        }
    }

    private @Nullable Malformation decode(@Nullable Object... keysAndValues) throws IOException {
        return decode(packed(keysAndValues));
    }

    private DecodedEvent repeated(String key, @Nullable Object value, @Nullable Object last) throws IOException {
        assertThat(decode(key, value, key, last, "event_type", "sample.issued")).isNull();
        return event;
    }

    @Test
    void of_a_repeated_key_only_the_last_value_is_told() throws IOException {
        assertThat(repeated("conversation_id", "c", "").conversation().isPresent())
                .isFalse();
        assertThat(repeated("turn", 1, null).conversation().isFirstTurn()).isFalse();
        List<String> error = List.of("ErrorData", "Timeout", "late");
        assertThat(repeated("data", error, null).dataLength()).isZero();
        repeated("data", error, List.of("PromptData", "text"));
        assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.PROMPT_DATA);
        assertThat(event.copyErrorType(9)).isEmpty();
        assertThat(repeated("server", Map.of("queue_ns", 5), null).server().isPresent())
                .isFalse();
        assertThat(repeated("server", Map.of("queue_ns", 5), Map.of("e2e_ns", 5))
                        .server()
                        .has(ServerKey.QUEUE_NS))
                .isFalse();
        assertThat(repeated("usage", Map.of("prompt_tokens", 5), null).hasUsage())
                .isFalse();
        assertThat(repeated("usage", Map.of("prompt_tokens", 5), Map.of("completion_tokens", 5))
                        .usage()
                        .has(UsageKey.PROMPT_TOKENS))
                .isFalse();
    }

    @Test
    void a_turn_up_to_1_is_the_first_of_its_conversation() throws IOException {
        for (Object turn : new Object[] {1, 0, -7}) {
            decode("event_type", "sample.issued", "turn", turn);
            assertThat(event.conversation().isFirstTurn()).as("%s", turn).isTrue();
        }
        for (Object turn : new @Nullable Object[] {2, null, BigInteger.ONE.shiftLeft(63)}) {
            decode("event_type", "sample.issued", "turn", turn);
            assertThat(event.conversation().isFirstTurn()).as("%s", turn).isFalse();
        }
    }

    @Test
    void only_the_value_that_breaks_a_rule_is_lost_of_a_record_of_an_unknown_type() throws IOException {
        List<String> error = List.of("ErrorData", "Timeout");
        assertThat(decode("sample_uuid", "s1", "data", error, "worker_id", "rank0", "event_type", "transfer.stats"))
                .isNull();
        assertThat(SampleIds.text(event)).isEqualTo("s1");
        assertThat(event.copyErrorType(9)).asString().isEqualTo("Timeout");
        assertThat(decode("sample_uuid", "s1", "data", List.of("ErrorData", "a", 5), "event_type", "transfer.stats"))
                .isNull();
        assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.NONE);
        assertThat(event.copyErrorType(9)).isEmpty();
        assertThat(SampleIds.text(event)).isEqualTo("s1");
        byte[] invalid = packed("event_type", "transfer.stats", "data", error, "sample_uuid", "id");
        invalid[invalid.length - 1] = (byte) 0xff;
        assertThat(decode(invalid)).isNull();
        assertThat(event.idKind()).isEqualTo(IdKind.EMPTY);
        assertThat(event.idLength()).isZero();
        assertThat(event.copyErrorType(9)).asString().isEqualTo("Timeout");
    }

    @Test
    void a_load_generator_record_is_malformed_by_its_first_violation_and_others_by_their_structure()
            throws IOException {
        byte[] broken = packed("event_type", "sample.complete", "worker_id", "rank0", "seq", 1);
        assertThat(decode(Arrays.copyOf(broken, broken.length - 1))).isEqualTo(Malformation.WORKER_ID_INVALID);
        byte[] sound = packed("event_type", "sample.complete", "worker_id", 7, "seq", 1);
        assertThat(decode(Arrays.copyOf(sound, sound.length - 1))).isEqualTo(Malformation.TRUNCATED);
        byte[] foreign = packed("event_type", "transfer.stats", "worker_id", "rank0", "seq", 1);
        assertThat(decode(Arrays.copyOf(foreign, foreign.length - 1))).isEqualTo(Malformation.TRUNCATED);
    }

    @Test
    void a_record_that_is_cut_off_within_its_data_is_truncated() throws IOException {
        List<String> texts = Collections.nCopies(20, "é");
        for (Object data : List.of(
                List.of("TextModelOutput", texts, texts, List.of(Map.of("id", "x"))),
                List.of("TextModelOutput", texts),
                List.of("PromptData", "text", Collections.nCopies(20, 70_000)),
                List.of("ErrorData", "type", "message"),
                List.of("PhaseData", "performance", 70_000, true))) {
            byte[] whole = packed("event_type", "sample.complete", "data", data);
            for (int length = 0; length < whole.length; length++) {
                assertThat(decode(Arrays.copyOf(whole, length)))
                        .as("%d bytes of %s", length, data)
                        .isEqualTo(Malformation.TRUNCATED);
            }
        }
    }

    @Test
    void a_record_that_is_cut_off_within_a_value_of_another_type_is_truncated() throws IOException {
        for (String key : List.of("seq", "scheduled_ns", "life", "source_id", "last_turn", "part", "tokens", "any")) {
            byte[] whole = packed("event_type", "sample.issued", key, List.of("cut"));
            assertThat(decode(Arrays.copyOf(whole, whole.length - 1))).as(key).isEqualTo(Malformation.TRUNCATED);
        }
    }

    @Test
    void data_that_is_nested_too_deep_is_malformed_for_that_reason_in_every_element() throws IOException {
        Object deep = 1;
        for (int level = 0; level < 200; level++) {
            deep = List.of(deep);
        }
        for (int element = 4; element < 10; element++) {
            List<@Nullable Object> prompt = new ArrayList<>(Collections.nCopies(element, null));
            prompt.set(0, "PromptData");
            prompt.add(element == 6 ? "the template is a text" : deep);
            assertThat(decode("event_type", "sample.issued", "data", prompt, "seq", 5))
                    .as("element %d", element)
                    .isEqualTo(element == 6 ? null : Malformation.TOO_DEEP);
        }
        assertThat(decode("event_type", "sample.issued", "data", List.of("PhaseData", deep), "seq", 5))
                .isEqualTo(Malformation.TOO_DEEP);
    }

    @Test
    void an_answer_has_reasoning_unless_its_text_is_missing_or_empty() throws IOException {
        for (Object reasoning : new @Nullable Object[] {null, "", List.of()}) {
            decode("event_type", "sample.complete", "data", Arrays.asList("TextModelOutput", "a", reasoning));
            assertThat(event.hasReasoning()).as("%s", reasoning).isFalse();
        }
        for (Object reasoning : new Object[] {"w", List.of("w")}) {
            decode("event_type", "sample.complete", "data", Arrays.asList("TextModelOutput", "a", reasoning));
            assertThat(event.hasReasoning()).as("%s", reasoning).isTrue();
        }
    }

    @Test
    void every_reason_has_a_name_for_counters_and_a_clause_for_messages() {
        for (Malformation each : Malformation.values()) {
            assertThat(each.reason()).matches("[a-z_]+");
            assertThat(each.text()).contains(" ").doesNotEndWith(".");
        }
    }
}
