package io.metricsaggregator.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span.Event;
import io.opentelemetry.proto.trace.v1.Span.Link;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random requests of exporters, made by the generated classes of opentelemetry-proto, and the spans that they hold. */
final class RandomTraces {
    static final String CHUNK = "chunk";
    /** Keeps every attribute. */
    static final Wanted ALL = new Wanted(name -> true, CHUNK::equals);

    private static final String[] TEXTS = {
        "", "a", "stop", "gpt-4.1", "é", "日本語", "😀", "x\"y\\z\n\t\u0000", "<&>", "x".repeat(2000)
    };

    private final Random random;
    private int names;

    RandomTraces(Random random) {
        this.random = random;
    }

    ExportTraceServiceRequest request() {
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            ResourceSpans.Builder resource = ResourceSpans.newBuilder().setSchemaUrl(text());
            if (random.nextBoolean()) {
                resource.setResource(Resource.newBuilder()
                        .addAllAttributes(attributes())
                        .addAttributes(attribute(
                                "service.name",
                                AnyValue.newBuilder().setStringValue(text()).build()))
                        .setDroppedAttributesCount(random.nextInt(3)));
            }
            for (int j = random.nextInt(3); j > 0; j--) {
                ScopeSpans.Builder scope = ScopeSpans.newBuilder()
                        .setScope(InstrumentationScope.newBuilder()
                                .setName(text())
                                .addAllAttributes(attributes()));
                for (int k = random.nextInt(6); k > 0; k--) {
                    scope.addSpans(span());
                }
                resource.addScopeSpans(scope);
            }
            request.addResourceSpans(resource);
        }
        return request.build();
    }

    private io.opentelemetry.proto.trace.v1.Span span() {
        long start = random.nextInt(20) == 0 ? random.nextLong() : 1_700_000_000_000_000_000L + random.nextInt();
        io.opentelemetry.proto.trace.v1.Span.Builder span = io.opentelemetry.proto.trace.v1.Span.newBuilder()
                .setTraceId(id(16))
                .setSpanId(id(8))
                .setParentSpanId(random.nextBoolean() ? ByteString.EMPTY : id(8))
                .setTraceState(text())
                .setName(text())
                .setFlags(random.nextInt())
                .setKindValue(random.nextInt(6))
                .setStartTimeUnixNano(start)
                .setEndTimeUnixNano(start + random.nextInt(1_000_000) - (random.nextInt(20) == 0 ? 2_000_000 : 0))
                .addAllAttributes(attributes())
                .setDroppedEventsCount(random.nextInt(2))
                .setStatus(Status.newBuilder().setCodeValue(random.nextInt(3)).setMessage(text()));
        for (int i = random.nextInt(3); i > 0; i--) {
            span.addEvents(Event.newBuilder()
                    .setName(random.nextBoolean() ? CHUNK : text())
                    .setTimeUnixNano(start + random.nextInt(1000))
                    .addAllAttributes(attributes()));
            span.addLinks(Link.newBuilder().setTraceId(id(16)).setSpanId(id(8)).addAllAttributes(attributes()));
        }
        return span.build();
    }

    private ByteString id(int length) {
        byte[] bytes = new byte[random.nextInt(30) == 0 ? random.nextInt(20) : length];
        if (random.nextInt(30) > 0) {
            random.nextBytes(bytes);
        }
        return ByteString.copyFrom(bytes);
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private List<KeyValue> attributes() {
        List<KeyValue> attributes = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            attributes.add(attribute(random.nextInt(8) == 0 ? "same" : "name" + names++, value(0)));
        }
        return attributes;
    }

    private static KeyValue attribute(String name, AnyValue value) {
        return KeyValue.newBuilder().setKey(name).setValue(value).build();
    }

    private AnyValue value(int depth) {
        AnyValue.Builder value = AnyValue.newBuilder();
        switch (random.nextInt(depth > 3 ? 6 : 8)) {
            case 0 -> value.setBoolValue(random.nextBoolean());
            case 1 -> value.setIntValue(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(1000) - 10);
            case 2 -> value.setDoubleValue(real());
            case 3 -> value.setBytesValue(id(3));
            case 4 -> {}
            case 5 -> value.setStringValue(text());
            case 6 -> {
                ArrayValue.Builder array = ArrayValue.newBuilder();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.addValues(value(depth + 1));
                }
                value.setArrayValue(array);
            }
            default -> value.setKvlistValue(KeyValueList.newBuilder().addValues(attribute("inner", value(depth + 1))));
        }
        return value.build();
    }

    private double real() {
        // No negative zero: the JSON cursor reads decimals, which have none.
        double[] special = {0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.25, 1e300};
        return random.nextInt(3) == 0 ? special[random.nextInt(special.length)] : random.nextGaussian();
    }

    /** The valid spans of a request as the generated classes give them. */
    static List<Span> spans(ExportTraceServiceRequest request) {
        List<Span> spans = new ArrayList<>();
        for (ResourceSpans resource : request.getResourceSpansList()) {
            String service = "";
            for (KeyValue each : resource.getResource().getAttributesList()) {
                service = each.getKey().equals("service.name")
                        ? cut(each.getValue().getStringValue())
                        : service;
            }
            for (ScopeSpans scope : resource.getScopeSpansList()) {
                for (io.opentelemetry.proto.trace.v1.Span span : scope.getSpansList()) {
                    Span expected = expected(span, service);
                    if (expected != null) {
                        spans.add(expected);
                    }
                }
            }
        }
        return spans;
    }

    private static @Nullable Span expected(io.opentelemetry.proto.trace.v1.Span span, String service) {
        long traceHigh = 0;
        long traceLow = 0;
        if (span.getTraceId().size() == 16) {
            traceHigh = span.getTraceId().asReadOnlyByteBuffer().getLong(0);
            traceLow = span.getTraceId().asReadOnlyByteBuffer().getLong(8);
        }
        long id = id(span.getSpanId());
        long start = span.getStartTimeUnixNano();
        if ((traceHigh | traceLow) == 0 || id == 0 || start <= 0 || span.getEndTimeUnixNano() < start) {
            return null;
        }
        Map<String, Object> attributes = new HashMap<>();
        for (KeyValue each : span.getAttributesList()) {
            Object value = value(each.getValue(), false);
            if (value != null) {
                attributes.put(each.getKey(), value);
            }
        }
        long chunk = span.getEventsList().stream()
                .filter(event -> event.getName().equals(CHUNK) && event.getTimeUnixNano() > 0)
                .mapToLong(Event::getTimeUnixNano)
                .min()
                .orElse(0);
        return new Span(
                traceHigh,
                traceLow,
                id,
                id(span.getParentSpanId()),
                span.getKindValue(),
                start,
                span.getEndTimeUnixNano(),
                span.getStatus().getCodeValue(),
                cut(span.getStatus().getMessage()),
                attributes,
                chunk,
                service);
    }

    private static long id(ByteString bytes) {
        return bytes.size() == 8 ? bytes.asReadOnlyByteBuffer().getLong(0) : 0;
    }

    private static @Nullable Object value(AnyValue value, boolean inner) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> cut(value.getStringValue());
            case BOOL_VALUE -> value.getBoolValue();
            case INT_VALUE -> value.getIntValue();
            case DOUBLE_VALUE -> value.getDoubleValue();
            case ARRAY_VALUE -> {
                List<Object> elements = new ArrayList<>();
                for (AnyValue each : value.getArrayValue().getValuesList()) {
                    Object element = value(each, true);
                    if (element != null) {
                        elements.add(element);
                    }
                }
                yield inner ? null : elements;
            }
            default -> null;
        };
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), SpanBatch.TEXT_MAX));
    }
}
