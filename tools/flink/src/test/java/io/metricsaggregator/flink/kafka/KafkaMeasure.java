package io.metricsaggregator.flink.kafka;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.SyntheticLoad;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A broker with topics of synthetic records, for {@code flink/measure-kafka}: {@code DIRECTORY RECORDS…}. Each topic has two partitions, a node each, and is
 * named {@code frames-RECORDS} or {@code batches-RECORDS}. Writes the broker's address to {@code DIRECTORY/address} and ends with its standard input.
 */
public final class KafkaMeasure {
    private static final int NODES = 2;
    private static final int RECORDS_PER_BATCH = 64;
    private static final double REQUESTS_PER_SECOND = 2_000;
    private static final long DURATION_NANOS = 3_600_000_000_000L;
    private static final long WALL_OFFSET_NANOS = 1_790_000_000_000_000_000L;
    private static final int ARRAY_16 = 0xdc;
    private static final int BIN_16 = 0xc5;

    private KafkaMeasure() {}

    /** Publishes the topics and waits. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (KafkaBroker broker = KafkaBroker.start(Files.createDirectories(directory.resolve("kafka")));
                KafkaProducer<byte[], byte[]> producer = broker.producer()) {
            for (int i = 1; i < arguments.length; i++) {
                int records = Integer.parseInt(arguments[i]);
                for (int perMessage : new int[] {1, RECORDS_PER_BATCH}) {
                    String topic = (perMessage == 1 ? "frames-" : "batches-") + records;
                    broker.createTopic(topic, NODES);
                    publish(producer, topic, records / NODES, perMessage);
                }
            }
            Path ready = Files.writeString(directory.resolve("address.part"), broker.address());
            Files.move(ready, directory.resolve("address"));
            while (System.in.read() >= 0) {
                // The script holds the other end.
            }
        }
    }

    /** Publishes the same number of records of each node, those of all nodes in turn, as they would arrive. */
    private static void publish(
            KafkaProducer<byte[], byte[]> producer, String topic, int recordsPerNode, int recordsPerMessage)
            throws IOException {
        EventEncoder encoder = new EventEncoder();
        List<SyntheticLoad> loads = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            loads.add(new SyntheticLoad(
                    new SyntheticLoad.Shape(
                            REQUESTS_PER_SECOND, DURATION_NANOS, 1_000_000_000L, true, 0.01, 4, 12, 40, 8, node + 1),
                    1_000_000_000_000L));
        }
        for (int sent = 0; sent < recordsPerNode; sent += recordsPerMessage) {
            int size = Math.min(recordsPerMessage, recordsPerNode - sent);
            for (int node = 0; node < NODES; node++) {
                List<EventRecord> events = new ArrayList<>();
                while (events.size() < size) {
                    events.add(Objects.requireNonNull(loads.get(node).next()));
                }
                EventRecord last = events.get(size - 1);
                byte[] frame = recordsPerMessage == 1
                        ? Topic.frame(last.type().wireName(), encoder.encode(last))
                        : Topic.frame(Topic.BATCH, batch(events, encoder));
                producer.send(message(topic, node, last.timestampNanos(), frame));
            }
        }
        producer.flush();
    }

    private static ProducerRecord<byte[], byte[]> message(String topic, int node, long nanos, byte[] frame) {
        // Written now: a broker forgets producers whose messages are a day old.
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, node, ("node-" + node).getBytes(StandardCharsets.US_ASCII), frame);
        message.headers().add("wall_offset_ns", Long.toString(WALL_OFFSET_NANOS).getBytes(StandardCharsets.US_ASCII));
        message.headers().add("received_ns", Long.toString(nanos).getBytes(StandardCharsets.US_ASCII));
        return message;
    }

    private static byte[] batch(List<EventRecord> events, EventEncoder encoder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(ARRAY_16);
        out.writeShort(events.size());
        for (EventRecord each : events) {
            byte[] record = encoder.encode(each);
            out.writeByte(BIN_16);
            out.writeShort(record.length);
            out.write(record);
        }
        return bytes.toByteArray();
    }
}
