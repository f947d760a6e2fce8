package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The optional keys {@code part} and {@code tokens} of a receive: a value that breaks a rule costs its key only. */
class ChunkKeysTest {
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedEvent decoded(@Nullable Object part, @Nullable Object tokens) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.recv_first");
        record.put("part", part);
        record.put("tokens", tokens);
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s, %s", part, tokens)
                    .isNull();
        }
        assertThat(event.timestampNanos()).as("a key behind them").isEqualTo(7);
        return event;
    }

    @Test
    void everyPartAndTheTokensAreRead() throws IOException {
        for (ChunkPart part : ChunkPart.values()) {
            assertThat(decoded(part.wireName(), part.ordinal()).part()).isEqualTo(part);
            assertThat(event.hasChunkTokens()).isTrue();
            assertThat(event.chunkTokens()).isEqualTo(part.ordinal());
            assertThat(event.areChunkKeysRejected()).isFalse();
        }
        assertThat(decoded("output", null).hasChunkKeys()).isTrue();
        assertThat(decoded(null, 3).hasChunkKeys()).isTrue();
        decoded(null, null);
        assertThat(event.hasChunkKeys()).as("left over from the record before").isFalse();
        assertThat(event.areChunkKeysRejected()).as("nil is absent").isFalse();
    }

    @Test
    void aValueThatBreaksARuleIsRejectedAndTheOtherKeyStays() throws IOException {
        for (Object part : List.of("Output", "", 1, List.of("output"), Map.of(), 1.5)) {
            decoded(part, 3);
            assertThat(event.part()).as("%s", part).isNull();
            assertThat(event.areChunkKeysRejected()).as("%s", part).isTrue();
            assertThat(event.chunkTokens()).isEqualTo(3);
        }
        for (Object tokens : List.of(-1, 4097, 2.0, "3", List.of(), BigInteger.ONE.shiftLeft(63), true)) {
            decoded("output", tokens);
            assertThat(event.hasChunkTokens()).as("%s", tokens).isFalse();
            assertThat(event.areChunkKeysRejected()).as("%s", tokens).isTrue();
            assertThat(event.part()).isEqualTo(ChunkPart.OUTPUT);
        }
    }

    @Test
    void theKeysSurviveEncodingAndDecodingAsObjects() throws MalformedMessageException {
        EventRecordCodec codec = new EventRecordCodec();
        EventRecord sent = EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 5, "a")
                .withPart(ChunkPart.TOOL_CALLS)
                .withTokens(4096)
                .from(1, 2);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(sent)))).isEqualTo(sent);
        assertThatThrownBy(() -> sent.withTokens(-1)).hasMessageContaining("tokens -1");
    }
}
