package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The optional key {@code labels} of an issue: a map that breaks a rule is ignored as a whole, and the issue stays. */
class LabelsTest {
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedEvent decoded(@Nullable Object labels) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put("labels", labels);
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", labels)
                    .isNull();
        }
        assertThat(event.timestampNanos()).as("a key behind them").isEqualTo(7);
        return event;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> labels(int count) {
        Map<String, Object> labels = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            labels.put("key" + i, "value" + i);
        }
        return labels;
    }

    @Test
    void eightLabelsOfTheLongestTextsAreRead() throws IOException {
        Map<String, Object> labels = labels(7);
        labels.put("k".repeat(64), "ü".repeat(128));
        assertThat(decoded(labels).hasLabels()).isTrue();
        assertThat(event.labels().toMap()).isEqualTo(labels);
        for (int i = 0; i < 7; i++) {
            assertThat(event.labels().keyEquals(i, bytes("key" + i))).isTrue();
            assertThat(event.labels().keyEquals(i, bytes("value" + i))).isFalse();
            assertThat(event.labels().valueEquals(i, bytes("value" + i))).isTrue();
            assertThat(event.labels().valueEquals(i, bytes("key" + i))).isFalse();
        }
        decoded(Map.of("endpoint", ""));
        assertThat(event.labels().toMap()).isEqualTo(Map.of("endpoint", ""));
    }

    @Test
    void aMapThatBreaksARuleIsRejectedWhole() throws IOException {
        for (Object bad : List.of(
                "endpoint",
                1,
                List.of("endpoint", "a"),
                labels(9),
                Map.of("endpoint", 1),
                Map.of(1, "a"),
                Map.of("", "a"),
                Map.of("k".repeat(65), "a"),
                Map.of("endpoint", "v".repeat(257)),
                Map.of("endpoint", Map.of()))) {
            decoded(bad);
            assertThat(event.areLabelsRejected()).as("%s", bad).isTrue();
            assertThat(event.hasLabels()).as("%s", bad).isFalse();
        }
    }

    @Test
    void nilAndAnEmptyMapReadAsAbsent() throws IOException {
        for (Object none : new @Nullable Object[] {null, Map.of()}) {
            decoded(none);
            assertThat(event.areLabelsRejected()).isFalse();
            assertThat(event.hasLabels()).isFalse();
        }
    }

    @Test
    void textThatIsNotUtf8IsRejected() throws IOException {
        byte[] bytes;
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(2).packString("event_type").packString("sample.issued");
            packer.packString("labels").packMapHeader(1).packString("endpoint").packRawStringHeader(1);
            packer.writePayload(new byte[] {(byte) 0xff});
            bytes = packer.toByteArray();
        }
        assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        assertThat(event.areLabelsRejected()).isTrue();
    }

    @Test
    void labelsSurviveEncodingAndDecodingAsObjects() throws MalformedMessageException {
        EventRecordCodec codec = new EventRecordCodec();
        EventRecord sent = EventRecord.sample(EventType.SAMPLE_ISSUED, 5, "a")
                .withLabels(Map.of("endpoint", "http://a:8000", "tenant", "ü"));
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(sent)))).isEqualTo(sent);
        assertThatThrownBy(() -> sent.withLabels(Map.of("k".repeat(65), "a"))).hasMessageContaining("64 bytes");
    }
}
