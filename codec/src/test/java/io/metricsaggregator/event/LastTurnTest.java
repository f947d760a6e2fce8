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

/** The conversation of a record and the optional key {@code last_turn}: a value that is no boolean costs the key only. */
class LastTurnTest {
    private static final byte[] TRUNCATED = {(byte) 0x81, (byte) 0xa9, 'l', 'a', 's', 't', '_', 't', 'u', 'r', 'n'};

    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedEvent decoded(@Nullable Object lastTurn) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put("conversation_id", "conversation");
        record.put("last_turn", lastTurn);
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", lastTurn)
                    .isNull();
        }
        assertThat(event.timestampNanos()).as("a key behind it").isEqualTo(7);
        return event;
    }

    private DecodedEvent decoded(EventRecord record) {
        byte[] bytes = new EventEncoder().encode(record);
        assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        return event;
    }

    @Test
    void trueEndsTheConversationAndFalseAndNilAreAbsent() throws IOException {
        assertThat(decoded(true).conversation().isLastTurn()).isTrue();
        assertThat(event.conversation().isLastTurnRejected()).isFalse();
        decoded((Object) null);
        assertThat(event.conversation().isLastTurn())
                .as("left over from the record before")
                .isFalse();
        assertThat(event.conversation().isLastTurnRejected()).isFalse();
        assertThat(decoded(false).conversation().isLastTurn()).isFalse();
        assertThat(event.conversation().isLastTurnRejected()).isFalse();
    }

    @Test
    void anyOtherValueIsRejectedAndTheRecordStays() throws IOException {
        for (Object value : List.of(1, 0, "true", "", List.of(true), Map.of("a", 1), 1.0)) {
            decoded(value);
            assertThat(event.conversation().isLastTurn()).as("%s", value).isFalse();
            assertThat(event.conversation().isLastTurnRejected())
                    .as("%s", value)
                    .isTrue();
            assertThat(event.conversation().isPresent()).isTrue();
        }
    }

    @Test
    void aValueThatIsCutOffMakesTheRecordMalformed() {
        assertThat(decoder.decode(ByteBuffer.wrap(TRUNCATED), 0, TRUNCATED.length, event))
                .isEqualTo(Malformation.TRUNCATED);
    }

    @Test
    void aRecordKeepsBothWhenItIsEncodedAndDecoded() throws Exception {
        EventRecord record = EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "0123456789abcdef0123456789abcdef")
                .inConversation("c-1", 3L)
                .withLastTurn();
        assertThat(new EventRecordCodec().decode(ByteBuffer.wrap(new EventRecordCodec().encode(record))))
                .isEqualTo(record);
        assertThat(decoded(record).conversation().isLastTurn()).isTrue();
    }

    @Test
    void conversationsAreToldApartByTheirId() {
        EventRecord record = EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "a");
        long first = decoded(record.inConversation("c-1", null)).conversation().hash(5);
        assertThat(decoded(record.inConversation("c-1", 9L)).conversation().hash(5))
                .isEqualTo(first);
        assertThat(event.conversation().hash(6)).as("another seed").isNotEqualTo(first);
        assertThat(decoded(record.inConversation("c-2", null)).conversation().hash(5))
                .isNotEqualTo(first);
        assertThat(decoded(record).conversation().isPresent()).as("an empty id").isFalse();
    }
}
