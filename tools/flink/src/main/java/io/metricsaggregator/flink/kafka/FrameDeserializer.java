package io.metricsaggregator.flink.kafka;

import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrameSerializer;
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
 * Makes a frame of a run of each message: the value is the frame (40 bytes of topic, then the payload), the key names the run, and the header {@value #SEQ}
 * numbers the messages of a key in decimal digits. A message without a value, or with one above the limit, is counted and dropped; no bytes make it
 * throw. Runs on the source's task thread.
 */
final class FrameDeserializer implements KafkaRecordDeserializationSchema<RunFrame> {
    /** Largest frame in bytes; the limit of the daemon's sockets. */
    static final int FRAME_MAX_BYTES = 1 << 30;
    /** Header that numbers the messages of a key. */
    static final String SEQ = "seq";
    /** Header with the monotonic time in nanoseconds at which the frame was first received; without it the message's own time is taken. */
    static final String RECEIVED = "received_ns";

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(FrameDeserializer.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_MAX = Long.MAX_VALUE / NANOS_PER_MILLI;
    private static final int DIGITS_MAX = 18;

    private final int maxBytes;
    private transient Counter dropped = new SimpleCounter();
    private transient Counter invalid = new SimpleCounter();

    FrameDeserializer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        dropped = context.getMetricGroup().counter("messagesDropped");
        invalid = context.getMetricGroup().counter("headersInvalid");
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<RunFrame> out) {
        byte[] value = message.value();
        if (value == null || value.length > maxBytes) {
            dropped.inc();
            if (dropped.getCount() == 1) {
                LOG.warn(
                        "message dropped topic={} partition={} offset={} bytes={} max_bytes={}. Further ones are only counted",
                        message.topic(),
                        message.partition(),
                        message.offset(),
                        value == null ? 0 : value.length,
                        maxBytes);
            }
            return;
        }
        long wallNanos = Math.max(0, Math.min(message.timestamp(), MILLIS_MAX)) * NANOS_PER_MILLI;
        long receivedNanos = number(message.headers().lastHeader(RECEIVED));
        out.collect(new RunFrame(
                RunKey.name(message.key(), message.partition()),
                message.partition(),
                number(message.headers().lastHeader(SEQ)),
                receivedNanos == RunFrame.NOT_NUMBERED ? wallNanos : receivedNanos,
                wallNanos,
                value));
    }

    private long number(@Nullable Header header) {
        if (header == null) {
            return RunFrame.NOT_NUMBERED;
        }
        byte[] digits = header.value();
        if (digits == null || digits.length == 0 || digits.length > DIGITS_MAX || !areDigits(digits)) {
            invalid.inc();
            return RunFrame.NOT_NUMBERED;
        }
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private static boolean areDigits(byte[] text) {
        for (byte each : text) {
            if (each < '0' || each > '9') {
                return false;
            }
        }
        return true;
    }

    @Override
    public TypeInformation<RunFrame> getProducedType() {
        return RunFrameSerializer.TYPE;
    }
}
