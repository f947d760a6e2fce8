package io.metricsaggregator.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.flink.joined.JoinTimes;
import io.metricsaggregator.flink.joined.NodeMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of any producer become records of nodes, or are dropped. */
class NodeMessageDeserializerTest {
    private static final NodeMessageDeserializer DESERIALIZER =
            new NodeMessageDeserializer(1000, new JoinTimes(5_000, 10_000, 0));
    /** A frame whose record is malformed, so that it has the time of its receipt. */
    private static final byte[] FRAME = new byte[50];

    private static List<NodeMessage> read(byte @Nullable [] value, Map<String, byte[]> headers) {
        RecordHeaders all = new RecordHeaders();
        headers.forEach(all::add);
        ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(
                "run-17",
                3,
                42,
                1_700_000_000_123L,
                TimestampType.CREATE_TIME,
                0,
                0,
                ascii("gpu-1"),
                value,
                all,
                Optional.empty());
        List<NodeMessage> messages = new ArrayList<>();
        DESERIALIZER.deserialize(message, new ListCollector<>(messages));
        return messages;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void the_key_names_the_node_and_the_topic_the_run_and_headers_the_clock() {
        NodeMessage message = read(
                        FRAME,
                        Map.of(
                                "wall_offset_ns", ascii("-1000"),
                                "received_ns", ascii("5500"),
                                "seq", ascii("7")))
                .get(0);
        assertThat(message.place()).isEqualTo(new NodeMessage.Place("run-17", "gpu-1", 3, 42, 7));
        assertThat(message.newestNanos()).isEqualTo(4500);
    }

    @Test
    void a_header_names_another_run_and_the_time_of_a_message_stands_in_for_that_of_its_receipt() {
        NodeMessage message = read(FRAME, Map.of("wall_offset_ns", ascii("0"), "run", ascii("run/18")))
                .get(0);
        assertThat(message.place().run()).matches("key-[0-9a-f]{32}");
        assertThat(message.place().sequence()).isEqualTo(NodeMessage.NOT_NUMBERED);
        assertThat(message.newestNanos()).isEqualTo(1_700_000_000_123_000_000L);
    }

    @Test
    void messages_without_a_value_or_a_clock_or_above_the_limit_are_dropped() {
        Map<String, byte[]> clock = Map.of("wall_offset_ns", ascii("0"));
        assertThat(read(null, clock)).isEmpty();
        assertThat(read(new byte[1001], clock)).isEmpty();
        assertThat(read(FRAME, Map.of())).isEmpty();
        for (String offset : List.of("", "-", "1.5", "abc", " 1", "9".repeat(19), "1".repeat(20))) {
            assertThat(read(FRAME, Map.of("wall_offset_ns", ascii(offset))))
                    .as(offset)
                    .isEmpty();
        }
        assertThat(read(FRAME, clock)).hasSize(1);
    }

    @Test
    void no_bytes_make_the_deserializer_throw() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] value = new byte[random.nextInt(200)];
            byte[] run = new byte[random.nextInt(200)];
            random.nextBytes(value);
            random.nextBytes(run);
            byte[] number = ascii(Long.toString(random.nextLong()));
            List<NodeMessage> messages =
                    read(value, Map.of("wall_offset_ns", number, "received_ns", number, "seq", number, "run", run));
            assertThat(messages).as("seed %d", seed).hasSize(1);
            assertThat(messages.get(0).place().run()).as("seed %d", seed).matches("[A-Za-z0-9_-][A-Za-z0-9._-]*");
        }
    }
}
