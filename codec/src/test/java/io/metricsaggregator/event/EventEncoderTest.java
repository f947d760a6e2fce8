package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventEncoderTest {
    private final EventEncoder encoder = new EventEncoder();

    private static @Nullable Object tree(byte[] bytes) throws MalformedMessageException {
        return new MsgpackTree().read(ByteBuffer.wrap(bytes));
    }

    private static List<?> keys(byte[] bytes) throws MalformedMessageException {
        return tree(bytes) instanceof Map<?, ?> map ? List.copyOf(map.keySet()) : List.of();
    }

    @Test
    void a_record_of_a_journal_has_no_absent_key() throws MalformedMessageException {
        EventRecord session = EventRecord.session(EventType.SESSION_STARTED, 7);
        assertThat(tree(encoder.encodePresent(session, null, null)))
                .isEqualTo(Map.of("event_type", "session.started", "timestamp_ns", 7L));
        EventRecord whole = EventRecord.sample(EventType.SAMPLE_COMPLETE, 8, "a")
                .inConversation("c", 2L)
                .withData(new ErrorData("type", "message"))
                .withFinishReason("stop")
                .scheduledAt(5)
                .from(1, 3)
                .inLife(4)
                .withTokens(6);
        assertThat(keys(encoder.encodePresent(whole, "tool", Map.of("prompt_tokens", 9L))))
                .hasToString("[event_type, timestamp_ns, sample_uuid, conversation_id, turn, source_id, data,"
                        + " finish_reason, worker_id, seq, scheduled_ns, life, tokens, usage]");
    }

    @Test
    void data_begins_with_its_tag() throws MalformedMessageException {
        Map<EventData, Object> first = Map.of(
                PromptData.ofText("text"),
                "text",
                new TextModelOutput(new ModelText.Whole("answer"), null, null),
                "answer",
                new ErrorData("type", "message"),
                "type",
                new PhaseData(PhaseData.PERFORMANCE, true, 3L),
                "performance");
        for (Map.Entry<EventData, Object> each : first.entrySet()) {
            EventRecord record =
                    EventRecord.sample(EventType.SAMPLE_ISSUED, 7, "a").withData(each.getKey());
            Object data = ((Map<?, ?>) tree(encoder.encode(record))).get("data");
            assertThat(((List<?>) data).subList(0, 2))
                    .isEqualTo(List.of(each.getKey().tag(), each.getValue()));
        }
        assertThat(new ModelText.Chunks(List.of("an", "swer")).joined()).isEqualTo("answer");
    }

    @Test
    void a_record_of_a_producer_has_six_keys_in_any_case() throws MalformedMessageException {
        assertThat(keys(encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 7))))
                .hasToString("[event_type, timestamp_ns, sample_uuid, conversation_id, turn, data]");
    }
}
