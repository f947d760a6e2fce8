package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.Golden;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GoldenEventVectorsTest {
    private final EventRecordCodec codec = new EventRecordCodec();

    @TestFactory
    Stream<DynamicTest> decodesAndEncodesAsTheRealCodecDoes() throws IOException {
        List<?> vectors = (List<?>) Golden.vectors().get("event_records");
        assertThat(vectors).hasSize(41);
        return vectors.stream()
                .map(vector -> (Map<?, ?>) vector)
                .map(vector -> DynamicTest.dynamicTest((String) vector.get("name"), () -> check(vector)));
    }

    private void check(Map<?, ?> vector) throws IOException {
        String hex = (String) vector.get("hex");
        EventRecord decoded = codec.decode(ByteBuffer.wrap(Golden.hex(hex)));
        assertThat(asMap(decoded)).isEqualTo(vector.get("decoded"));
        Object reencoded = vector.containsKey("reencoded_hex") ? vector.get("reencoded_hex") : hex;
        assertThat(HexFormat.of().formatHex(codec.encode(decoded))).isEqualTo(reencoded);
    }

    private static Map<String, @Nullable Object> asMap(EventRecord event) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("event_type", event.type().wireName());
        map.put("timestamp_ns", event.timestampNanos());
        map.put("sample_uuid", event.sampleUuid());
        map.put("conversation_id", event.conversationId());
        map.put("turn", event.turn());
        map.put("data", asMap(event.data()));
        if (event.finishReason() != null) {
            map.put("finish_reason", event.finishReason());
        }
        if (event.workerId() != null) {
            map.put("worker_id", event.workerId());
        }
        return map;
    }

    private static @Nullable Map<String, @Nullable Object> asMap(@Nullable EventData data) {
        if (data == null) {
            return null;
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("type", data.tag());
        if (data instanceof TextModelOutput output) {
            map.put("output", asValue(output.output()));
            map.put("reasoning", asValue(output.reasoning()));
            map.put("tool_calls", output.toolCalls());
        } else if (data instanceof PromptData prompt) {
            map.put("text", prompt.text());
            map.put("token_ids", prompt.tokenIds() == null ? null : new ArrayList<>(prompt.tokenIds()));
            map.put("messages", prompt.messages());
            map.put("tools", prompt.tools());
            map.put("chat_template_kwargs", prompt.chatTemplateKwargs());
            map.put("chat_template", prompt.chatTemplate());
            map.put("tool_choice", prompt.toolChoice());
        } else if (data instanceof ErrorData error) {
            map.put("error_type", error.errorType());
            map.put("error_message", error.errorMessage());
        }
        return map;
    }

    private static @Nullable Object asValue(@Nullable ModelText text) {
        if (text instanceof ModelText.Chunks chunks) {
            return new ArrayList<Object>(chunks.chunks());
        }
        return text == null ? null : text.joined();
    }

    @org.junit.jupiter.api.Test
    void aTokenIdBeyondSignedSixtyFourBitsKeepsItsValue() throws IOException {
        PromptData prompt = PromptData.ofTokenIds(List.of(1L, BigInteger.ONE.shiftLeft(63)));
        EventRecord event = EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "x").withData(prompt);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(event)))).isEqualTo(event);
    }
}
