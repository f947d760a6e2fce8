package io.metricsaggregator.otlp;

import com.google.protobuf.ByteString;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Requests of exporters for tests, and what a receiver makes of them. */
final class Traces {
    static final long MILLI = 1_000_000L;
    /** Time of the first span: recent, as spans are sent soon after their end. */
    final long start = EpochNanos.now() - 10_000 * MILLI;

    final SpanReceiver receiver;
    final SpanFrames frames;

    Traces(boolean ownsSession) {
        receiver = new SpanReceiver(ownsSession, () -> {});
        // Both clocks are the same, so that times are compared as they are.
        frames = new SpanFrames(receiver, 0);
    }

    static ByteString bytes(long... words) {
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * words.length);
        for (long word : words) {
            buffer.putLong(word);
        }
        return ByteString.copyFrom(buffer.array());
    }

    /** A span of trace 1; the parent 0 is none. Times are milliseconds after {@link #start}. */
    Span.Builder span(long id, long parent, long fromMillis, long toMillis) {
        Span.Builder span = Span.newBuilder()
                .setTraceId(bytes(7, 1))
                .setSpanId(bytes(id))
                .setKindValue(3)
                .setStartTimeUnixNano(start + fromMillis * MILLI)
                .setEndTimeUnixNano(start + toMillis * MILLI);
        return parent == 0 ? span : span.setParentSpanId(bytes(parent));
    }

    /** A request to a model. */
    Span.Builder chat(long id, long parent, long fromMillis, long toMillis) {
        return with(span(id, parent, fromMillis, toMillis), Map.of("gen_ai.operation.name", "chat"));
    }

    static Span.Builder with(Span.Builder span, Map<String, Object> attributes) {
        attributes.forEach((name, value) ->
                span.addAttributes(KeyValue.newBuilder().setKey(name).setValue(value(value))));
        return span;
    }

    private static AnyValue value(Object value) {
        AnyValue.Builder any = AnyValue.newBuilder();
        if (value instanceof String text) {
            any.setStringValue(text);
        } else if (value instanceof Double real) {
            any.setDoubleValue(real);
        } else if (value instanceof List<?> list) {
            ArrayValue.Builder array = ArrayValue.newBuilder();
            list.forEach(each -> array.addValues(value(each)));
            any.setArrayValue(array);
        } else {
            any.setIntValue(((Number) value).longValue());
        }
        return any.build();
    }

    static byte[] body(String service, Span.Builder... spans) {
        ScopeSpans.Builder scope = ScopeSpans.newBuilder();
        for (Span.Builder each : spans) {
            scope.addSpans(each);
        }
        return ExportTraceServiceRequest.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder()
                        .setResource(Resource.newBuilder()
                                .addAttributes(KeyValue.newBuilder()
                                        .setKey("service.name")
                                        .setValue(value(service))))
                        .addScopeSpans(scope))
                .build()
                .toByteArray();
    }

    Reply send(Span.Builder... spans) {
        return receiver.receive("application/x-protobuf", null, body("app", spans));
    }

    /** A record of a proxy, as the daemon decodes it. */
    void measured(EventRecord record) {
        byte[] bytes = new EventEncoder().encode(record);
        DecodedEvent event = new DecodedEvent();
        if (new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event) != null) {
            throw new AssertionError(record);
        }
        frames.measured(event);
    }

    /** The records of all frames that are due. Those that name a trace come back, as they do in the daemon, which decodes its own frames. */
    List<EventRecord> records() throws MalformedMessageException {
        List<EventRecord> records = new ArrayList<>();
        EventRecordCodec codec = new EventRecordCodec();
        for (byte[] frame = poll(); frame != null; frame = poll()) {
            ByteBuffer buffer = ByteBuffer.wrap(frame);
            BatchReader batch = new BatchReader();
            batch.open(buffer, Topic.LENGTH, frame.length - Topic.LENGTH);
            while (batch.next()) {
                EventRecord record = codec.decode(buffer.slice(batch.start(), batch.length()));
                records.add(record);
                if (record.optional() != null && record.optional().traceparent() != null) {
                    measured(record);
                }
            }
        }
        return records;
    }

    private byte[] poll() {
        return frames.poll(System.nanoTime() + 1_000 * MILLI);
    }

    /** The counts of what became of the spans, in words. */
    String outcome() {
        OtlpCounts counts = frames.counts();
        if (counts.spans()
                != counts.samples()
                        + counts.other()
                        + counts.joined()
                        + counts.repeated()
                        + counts.rejected()
                        + counts.dropped()) {
            throw new AssertionError("spans do not add up: " + counts);
        }
        return "samples " + counts.samples() + ", other " + counts.other() + ", joined " + counts.joined()
                + ", repeated " + counts.repeated() + ", rejected " + counts.rejected() + ", dropped "
                + counts.dropped();
    }
}
