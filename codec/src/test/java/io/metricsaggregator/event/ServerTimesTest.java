package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.server.DecodedServer;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The optional key {@code server}: a valid map is read, and nothing under the key costs the record. */
class ServerTimesTest {
    private final ServerTimes example = ServerTimes.from(ServerTimes.Source.BODY)
            .with(ServerKey.QUEUE_NS, 120_000_000)
            .with(ServerKey.PREFILL_NS, 140_000_000)
            .with(ServerKey.TTFT_NS, 150_000_000)
            .with(ServerKey.DECODE_NS, 900_000_000)
            .with(ServerKey.E2E_NS, 1_170_000_000)
            .with(ServerKey.KV_TRANSFER_NS, 5_000_000)
            .with(ServerKey.KV_BYTES, 1 << 20)
            .onNodes("prefill-0", "décode-1");

    private final EventDecoder decoder = new EventDecoder();
    private final EventRecordCodec codec = new EventRecordCodec();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedServer decoded(@Nullable Object server) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.complete");
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        record.put("server", server);
        record.put("finish_reason", "stop");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", server)
                    .isNull();
        }
        assertThat(event.finishReason()).as("a key behind server").isEqualTo(FinishReason.STOP);
        return event.server();
    }

    @Test
    void everyKeyIsReadAsItWasWritten() throws Exception {
        EventRecord record = EventRecord.sample(EventType.SAMPLE_COMPLETE, 7, "a")
                .withServer(example)
                .withUsage(Usage.of(3, 4));
        byte[] bytes = codec.encode(record);
        assertThat(codec.decode(ByteBuffer.wrap(bytes))).isEqualTo(record);
        assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        for (ServerKey key : ServerKey.values()) {
            assertThat((Long) event.server().number(key)).isEqualTo(example.number(key));
        }
        assertThat(decoded(Map.of("queue_ns", 5)).has(ServerKey.TTFT_NS))
                .as("left over from the record before")
                .isFalse();
        for (ServerTimes.Source source : ServerTimes.Source.values()) {
            EventRecord from = record.withServer(ServerTimes.from(source).with(ServerKey.E2E_NS, Long.MAX_VALUE));
            assertThat(codec.decode(ByteBuffer.wrap(codec.encode(from)))).isEqualTo(from);
        }
    }

    @Test
    void aMapThatBreaksARuleIsRejectedWholeAndTheRecordStays() throws IOException {
        List<@Nullable Object> bad = new ArrayList<>(List.of(
                "not a map",
                17,
                List.of(1),
                Map.of("queue_ns", -1),
                Map.of("ttft_ns", 5.0),
                Map.of("kv_bytes", true),
                Map.of("e2e_ns", "5"),
                Map.of("decode_ns", BigInteger.ONE.shiftLeft(63)),
                Map.of("queue_ns", 5, "source", "proxy"),
                Map.of("source", 1),
                Map.of("prefill_node", 1),
                Map.of("decode_node", 1),
                Map.of("queue_ns", 5, "prefill_node", "x".repeat(65)),
                Map.of("queue_ns", 5, "decode_node", "é".repeat(33)),
                Map.of(1, 2)));
        for (Object server : bad) {
            decoded(server);
            assertThat(event.server().isRejected()).as("%s", server).isTrue();
            assertThat(event.server().isPresent()).as("%s", server).isFalse();
        }
        assertThat(decoded(Map.of("queue_ns", 0, "decode_node", "é".repeat(32))).number(ServerKey.QUEUE_NS))
                .as("0 ns and 64 bytes")
                .isZero();
    }

    @Test
    void aNameThatIsNotUtf8RejectsTheMapAndNotTheRecord() throws IOException {
        for (String key : new String[] {"prefill_node", "decode_node"}) {
            byte[] bytes = codec.encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, 7, "a")
                    .withServer(ServerTimes.from(null)
                            .with(ServerKey.QUEUE_NS, 5)
                            .onNodes(key.startsWith("p") ? "??" : null, key.startsWith("d") ? "??" : null)));
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = bytes[i] == '?' ? (byte) 0xff : bytes[i];
            }
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as(key)
                    .isNull();
            assertThat(event.server().isRejected()).as(key).isTrue();
        }
    }

    @Test
    void nilAnEmptyMapAndUnknownKeysReadAsAbsent() throws IOException {
        Map<String, @Nullable Object> nil = new HashMap<>();
        nil.put("queue_ns", null);
        nil.put("source", null);
        nil.put("decode_node", null);
        for (Object server : new @Nullable Object[] {
            null, Map.of(), nil, Map.of("gpu", List.of(Map.of())), Map.of("source", "body", "prefill_node", "p")
        }) {
            decoded(server);
            assertThat(event.server().isRejected()).as("%s", server).isFalse();
            assertThat(event.server().isPresent()).as("%s", server).isFalse();
        }
        nil.put("ttft_ns", 3);
        nil.put("gpu", -4.5);
        assertThat(decoded(nil).number(ServerKey.TTFT_NS)).isEqualTo(3);
        assertThat(event.server().has(ServerKey.QUEUE_NS)).isFalse();
    }

    @Test
    void aProducerCannotBuildWhatTheDaemonRejects() {
        ServerTimes none = ServerTimes.from(null);
        assertThatThrownBy(() -> none.with(ServerKey.QUEUE_NS, -3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queue_ns -3 is negative");
        assertThatThrownBy(() -> none.onNodes("é".repeat(33), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefill_node is longer than 64 bytes");
        assertThatThrownBy(() -> none.onNodes(null, "x".repeat(65)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("decode_node is longer than 64 bytes");
        ServerTimes largest = none.with(ServerKey.QUEUE_NS, 0).onNodes("x".repeat(64), "é".repeat(32));
        assertThat(largest.number(ServerKey.QUEUE_NS)).isZero();
        assertThat(new DecodedEvent().server().has(ServerKey.QUEUE_NS)).isFalse();
    }
}
