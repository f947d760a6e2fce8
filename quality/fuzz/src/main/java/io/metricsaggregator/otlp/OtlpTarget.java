package io.metricsaggregator.otlp;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fuzz.Allocation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives a body of traces whose encoding the first byte chooses: it is taken or refused, nothing is thrown, memory is proportional to the
 * bytes, every span has one outcome, and every record that comes of it is well-formed.
 */
public final class OtlpTarget {
    /** Time of the spans in the corpus. */
    private static final long NOW = 1_790_000_000_000_000_000L;
    /**
     * Bytes of objects for each byte of a body: an empty span of three bytes is counted, an attribute is an entry of a map, and a span of 20 bytes becomes
     * two records with the ids of its trace in text.
     */
    private static final int FACTOR = 500;

    private OtlpTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(input, 1, input.length);
        String type = (input[0] & 1) == 0 ? Reply.PROTOBUF : Reply.JSON;
        String encoding = (input[0] & 2) == 0 ? null : "gzip";
        receive(type, encoding, body, OtlpTarget::check);
        if (encoding == null) {
            // The reader of the frames is no memory of the input.
            Allocation.check(() -> receive(type, null, body, frame -> {}), body.length, FACTOR);
        }
    }

    private static void receive(String type, @Nullable String encoding, byte[] body, Consumer<byte[]> reader) {
        SpanReceiver receiver = new SpanReceiver(true, () -> {}, () -> NOW);
        SpanFrames frames = new SpanFrames(receiver, NOW);
        int status = receiver.receive(type, encoding, body).status();
        if (status != 200 && status != 400 && status != 413) {
            throw new IllegalStateException("status " + status);
        }
        long now = System.nanoTime();
        for (byte[] frame = frames.poll(now); frame != null; frame = frames.poll(now)) {
            reader.accept(frame);
        }
        OtlpCounts counts = frames.counts();
        if (counts.spans()
                != counts.samples() + counts.other() + counts.joined() + counts.repeated() + counts.rejected()) {
            throw new IllegalStateException("spans do not add up: " + counts);
        }
    }

    private static void check(byte[] frame) {
        ByteBuffer buffer = ByteBuffer.wrap(frame);
        BatchReader batch = new BatchReader();
        if (batch.open(buffer, Topic.LENGTH, frame.length - Topic.LENGTH) < 0) {
            throw new IllegalStateException("a frame is not a batch");
        }
        DecodedEvent event = new DecodedEvent();
        while (batch.next()) {
            if (new EventDecoder().decode(buffer, batch.start(), batch.length(), event) != null
                    || event.areLabelsRejected()
                    || event.isUsageRejected()
                    || event.server().isRejected()) {
                throw new IllegalStateException("a record is malformed");
            }
        }
    }
}
