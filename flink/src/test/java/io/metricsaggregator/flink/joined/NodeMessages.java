package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The frames of a run as the messages of three nodes, whose clocks differ and whose messages arrive out of order. */
final class NodeMessages {
    /** Wall clock minus the clock of the frames, in nanoseconds. */
    static final long WALL_OFFSET_NANOS = 1_790_000_000_000_000_000L;
    /** How far the clocks of the nodes are behind that of the frames, in nanoseconds. */
    private static final long[] BEHIND_NANOS = {0, 3_000_000_000L, -7_000_000_000L};

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private NodeMessages() {}

    /**
     * One message.
     *
     * @param node number of the node; its partition
     * @param nanos time of its record on the clock of the frames
     * @param frame the frame with times of the node's clock
     */
    record Message(int node, long nanos, byte[] frame) {
        static Message of(int node, ByteBuffer frame) {
            return new Message(node, SplitRun.time(frame), SplitRun.shifted(frame, -BEHIND_NANOS[node]));
        }

        String name() {
            return "node-" + node;
        }

        long shiftNanos() {
            return WALL_OFFSET_NANOS + BEHIND_NANOS[node];
        }

        long receivedNanos() {
            return nanos - BEHIND_NANOS[node];
        }

        long wallNanos() {
            return nanos + WALL_OFFSET_NANOS;
        }
    }

    /** Writes the whole run as a journal on the wall clock. */
    static Path whole(Path directory, List<ByteBuffer> frames) throws IOException {
        return SplitRun.write(directory, "00c0ffee00000000", "a", -WALL_OFFSET_NANOS, JoinedRunTest.CONFIG, frames);
    }

    /** Gives each frame to a node at random, in an order in which none is behind another by {@code latenessNanos}. */
    static List<Message> shuffled(List<ByteBuffer> frames, long latenessNanos, Random random) {
        record Arrival(Message message, long nanos) {}
        List<Arrival> arrivals = new ArrayList<>();
        for (ByteBuffer each : frames) {
            Message message = Message.of(random.nextInt(BEHIND_NANOS.length), each);
            arrivals.add(new Arrival(message, message.nanos() + random.nextLong(latenessNanos)));
        }
        arrivals.sort(Comparator.comparingLong(Arrival::nanos));
        return new ArrayList<>(arrivals.stream().map(Arrival::message).toList());
    }

    /** Publishes messages to the partitions of their nodes, some of them twice, with messages of no use between them. */
    static void publish(KafkaBroker broker, String topic, List<Message> messages, Random random) {
        try (KafkaProducer<byte[], byte[]> producer = broker.producer()) {
            for (Message each : messages) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        topic, each.node(), each.wallNanos() / 1_000_000, ascii(each.name()), each.frame());
                record.headers().add("wall_offset_ns", ascii(Long.toString(each.shiftNanos())));
                record.headers().add("received_ns", ascii(Long.toString(each.receivedNanos())));
                record.headers().add("seq", ascii(Long.toString(SEQUENCE.incrementAndGet())));
                producer.send(record);
                if (random.nextInt(50) == 0) {
                    producer.send(record);
                }
                if (random.nextInt(200) == 0) {
                    producer.send(new ProducerRecord<>(topic, each.node(), ascii(each.name()), null));
                    producer.send(new ProducerRecord<>(topic, each.node(), ascii(each.name()), each.frame()));
                }
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
