package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The optional keys {@code traceparent} and {@code response_id}: a value that breaks a rule costs the key only. */
class TraceKeysTest {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedTrace decoded(String key, @Nullable Object value) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put(key, value);
        record.put("timestamp_ns", 7);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", value)
                    .isNull();
        }
        assertThat(event.timestampNanos()).as("a key behind it").isEqualTo(7);
        return event.trace();
    }

    @Test
    void a_traceparent_gives_trace_and_span() throws IOException {
        DecodedTrace trace = decoded("traceparent", TRACEPARENT);
        assertThat(trace.isPresent()).isTrue();
        assertThat(trace.traceHigh()).isEqualTo(0x0af7651916cd43ddL);
        assertThat(trace.traceLow()).isEqualTo(0x8448eb211c80319cL);
        assertThat(trace.span()).isEqualTo(0xb7ad6b7169203331L);
        assertThat(trace.traceparent()).isEqualTo(TRACEPARENT);
        assertThat(decoded("traceparent", TRACEPARENT.replace("8448eb211c80319c", "0".repeat(16)))
                        .isPresent())
                .isTrue();
        assertThat(decoded("traceparent", TRACEPARENT.replace("0af7651916cd43dd", "0".repeat(16)))
                        .isPresent())
                .isTrue();
        assertThat(decoded("another_key", 1).isPresent())
                .as("left over from the record before")
                .isFalse();
    }

    @Test
    void anything_else_is_no_trace_and_the_record_stays() throws IOException {
        for (Object value : List.of(
                "",
                "00-",
                TRACEPARENT.replace("0af7", "0AF7"),
                TRACEPARENT.replaceFirst("00", "ff"),
                TRACEPARENT.replace('-', '_'),
                TRACEPARENT.replaceFirst("00", "01"),
                TRACEPARENT.replaceFirst("-", "_"),
                TRACEPARENT.replace("c-b", "c_b"),
                TRACEPARENT.replace("1-01", "1_01"),
                TRACEPARENT.replace("0af7", "0/f7"),
                TRACEPARENT.replace("0af7", "0:f7"),
                TRACEPARENT.replace("0af7", "0`f7"),
                TRACEPARENT.replace("0af7", "0gf7"),
                TRACEPARENT.replace("b7ad", "b7a "),
                TRACEPARENT + "0",
                "00-" + "0".repeat(32) + "-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-" + "0".repeat(16) + "-01",
                7,
                true,
                List.of(TRACEPARENT),
                Map.of("a", TRACEPARENT))) {
            assertThat(decoded("traceparent", value).isPresent())
                    .as("%s", value)
                    .isFalse();
        }
        assertThat(decoded("traceparent", null).isPresent()).isFalse();
    }

    @Test
    void an_id_of_an_answer_is_taken_up_to_its_bound() throws IOException {
        assertThat(decoded("response_id", "chatcmpl-é").responseId()).isEqualTo("chatcmpl-é");
        assertThat(event.trace().isPresent()).isTrue();
        String longest = "x".repeat(DecodedTrace.RESPONSE_ID_MAX_BYTES);
        assertThat(decoded("response_id", longest).responseId()).isEqualTo(longest);
        assertThat(decoded("response_id", longest + "x").responseId()).isEmpty();
        assertThat(decoded("response_id", 5).isPresent()).isFalse();
    }

    @Test
    void a_record_keeps_both_when_it_is_encoded_and_decoded() throws Exception {
        EventRecord record = EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "a")
                .withTraceparent(TRACEPARENT)
                .withResponseId("chatcmpl-1")
                .withUsage(Usage.of(1, 2));
        assertThat(new EventRecordCodec().decode(ByteBuffer.wrap(new EventRecordCodec().encode(record))))
                .isEqualTo(record);
    }
}
