package io.metricsaggregator.flink.kafka;

import io.metricsaggregator.flink.joined.JoinTimes;
import io.metricsaggregator.flink.joined.NodeMessage;
import io.metricsaggregator.flink.joined.NodeMessageReader;
import io.metricsaggregator.flink.joined.NodeMessageSerializer;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the records of a node of each message of a run that several nodes saw: the value is the frame, the key names the node, the header
 * {@value #WALL_OFFSET} says where its clock stands, {@value #RUN} names the run. A message without a value, above the limit or without a clock is counted
 * and dropped; no bytes make it throw. Runs on the source's task thread.
 */
final class NodeMessageDeserializer implements KafkaRecordDeserializationSchema<NodeMessage> {
    /** Header with the wall clock minus the monotonic clock of the node, in nanoseconds; 0 if the node's times are those of the wall clock. */
    static final String WALL_OFFSET = "wall_offset_ns";
    /** Header that names the run; without it the topic does. */
    static final String RUN = "run";

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(NodeMessageDeserializer.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int DIGITS_MAX = 19;
    private static final long MILLIS_MAX = Long.MAX_VALUE / NANOS_PER_MILLI;

    private final int maxBytes;
    private final JoinTimes times;
    private transient @Nullable NodeMessageReader reader;
    private transient Counter dropped = new SimpleCounter();
    private transient Counter invalid = new SimpleCounter();

    NodeMessageDeserializer(int maxBytes, JoinTimes times) {
        this.maxBytes = maxBytes;
        this.times = times;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        dropped = context.getMetricGroup().counter("messagesDropped");
        invalid = context.getMetricGroup().counter("headersInvalid");
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<NodeMessage> out) {
        byte[] value = message.value();
        Long offsetNanos = number(message, WALL_OFFSET);
        if (value == null || value.length > maxBytes || offsetNanos == null) {
            drop(message, offsetNanos != null);
            return;
        }
        Long received = number(message, FrameDeserializer.RECEIVED);
        Long sequence = number(message, FrameDeserializer.SEQ);
        NodeMessageReader splitter = reader;
        if (splitter == null) {
            splitter = new NodeMessageReader(times);
            reader = splitter;
        }
        NodeMessage.Place place = new NodeMessage.Place(
                run(message),
                RunKey.name(message.key(), message.partition()),
                message.partition(),
                message.offset(),
                sequence == null || sequence < 0 ? NodeMessage.NOT_NUMBERED : sequence);
        out.collect(splitter.read(
                place,
                received,
                offsetNanos,
                Math.max(-1, Math.min(message.timestamp(), MILLIS_MAX)) * NANOS_PER_MILLI,
                value));
    }

    private static String run(ConsumerRecord<byte[], byte[]> message) {
        Header header = message.headers().lastHeader(RUN);
        byte[] name = header == null ? null : header.value();
        return RunKey.name(
                name == null || name.length == 0 ? message.topic().getBytes(StandardCharsets.UTF_8) : name, 0);
    }

    private void drop(ConsumerRecord<byte[], byte[]> message, boolean hasClock) {
        dropped.inc();
        if (dropped.getCount() == 1) {
            byte[] value = message.value();
            LOG.warn(
                    "message dropped topic={} partition={} offset={} bytes={} max_bytes={} wall_offset_ns={}. Further ones are only counted",
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    value == null ? 0 : value.length,
                    maxBytes,
                    hasClock ? "given" : "missing");
        }
    }

    /** Reads a header of decimal digits with an optional minus; null if it is missing, or is not a number of 64 bits. */
    private @Nullable Long number(ConsumerRecord<byte[], byte[]> message, String name) {
        Header header = message.headers().lastHeader(name);
        if (header == null) {
            return null;
        }
        byte[] text = header.value();
        try {
            if (text != null && isNumber(text)) {
                return Long.valueOf(new String(text, StandardCharsets.ISO_8859_1));
            }
        } catch (NumberFormatException e) {
            // More than 64 bits: counted as any other text.
        }
        invalid.inc();
        return null;
    }

    private static boolean isNumber(byte[] text) {
        int start = text.length > 0 && text[0] == '-' ? 1 : 0;
        for (int i = start; i < text.length; i++) {
            if (text[i] < '0' || text[i] > '9') {
                return false;
            }
        }
        return text.length > start && text.length - start <= DIGITS_MAX;
    }

    @Override
    public TypeInformation<NodeMessage> getProducedType() {
        return NodeMessageSerializer.TYPE;
    }
}
