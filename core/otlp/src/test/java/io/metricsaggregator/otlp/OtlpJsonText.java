package io.metricsaggregator.otlp;

import com.google.protobuf.ByteString;
import io.metricsaggregator.codec.JsonTree;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Writes requests in the JSON encoding of OTLP, in each way that it allows: any order of keys, integers as strings and numbers, absent defaults. */
final class OtlpJsonText {
    private final Random random;

    OtlpJsonText(Random random) {
        this.random = random;
    }

    byte[] of(ExportTraceServiceRequest request) {
        return JsonTree.writeLine(object(Map.of(
                "resourceSpans",
                request.getResourceSpansList().stream().map(this::resource).toList())));
    }

    private Map<String, Object> resource(ResourceSpans resource) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (resource.hasResource()) {
            map.put(
                    "resource",
                    object(Map.of(
                            "attributes", attributes(resource.getResource().getAttributesList()))));
        }
        map.put("schemaUrl", resource.getSchemaUrl());
        map.put(
                "scopeSpans",
                resource.getScopeSpansList().stream()
                        .map(scope -> object(Map.of(
                                "scope",
                                object(Map.of("name", scope.getScope().getName())),
                                "spans",
                                scope.getSpansList().stream().map(this::span).toList())))
                        .toList());
        return object(map);
    }

    private Map<String, Object> span(io.opentelemetry.proto.trace.v1.Span span) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("traceId", hex(span.getTraceId()));
        map.put("spanId", hex(span.getSpanId()));
        if (!span.getParentSpanId().isEmpty() || random.nextBoolean()) {
            map.put("parentSpanId", hex(span.getParentSpanId()));
        }
        map.put("name", span.getName());
        map.put("flags", Integer.toUnsignedLong(span.getFlags()));
        map.put("kind", span.getKindValue());
        map.put("startTimeUnixNano", unsigned(span.getStartTimeUnixNano()));
        map.put("endTimeUnixNano", unsigned(span.getEndTimeUnixNano()));
        map.put("attributes", attributes(span.getAttributesList()));
        map.put("unknownField", Map.of("nested", List.of(1, Map.of("a", "b"))));
        map.put(
                "events",
                span.getEventsList().stream()
                        .map(event -> object(Map.of(
                                "name",
                                event.getName(),
                                "timeUnixNano",
                                unsigned(event.getTimeUnixNano()),
                                "attributes",
                                attributes(event.getAttributesList()))))
                        .toList());
        map.put(
                "status",
                object(Map.of(
                        "code", span.getStatus().getCodeValue(),
                        "message", span.getStatus().getMessage())));
        return object(map);
    }

    private List<Map<String, Object>> attributes(List<KeyValue> attributes) {
        return attributes.stream()
                .map(each -> object(Map.of("key", each.getKey(), "value", value(each.getValue()))))
                .toList();
    }

    private Map<String, Object> value(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Map.of("stringValue", value.getStringValue());
            case BOOL_VALUE -> Map.of("boolValue", value.getBoolValue());
            case INT_VALUE -> Map.of("intValue", signed(value.getIntValue()));
            case DOUBLE_VALUE ->
                Map.of(
                        "doubleValue",
                        Double.isFinite(value.getDoubleValue())
                                ? (Object) value.getDoubleValue()
                                : String.valueOf(value.getDoubleValue()));
            case BYTES_VALUE ->
                Map.of(
                        "bytesValue",
                        Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
            case ARRAY_VALUE ->
                Map.of(
                        "arrayValue",
                        Map.of(
                                "values",
                                value.getArrayValue().getValuesList().stream()
                                        .map(this::value)
                                        .toList()));
            case KVLIST_VALUE ->
                Map.of(
                        "kvlistValue",
                        Map.of("values", attributes(value.getKvlistValue().getValuesList())));
            default -> Map.of();
        };
    }

    private Object unsigned(long value) {
        return random.nextBoolean() || value < 0 ? Long.toUnsignedString(value) : (Object) value;
    }

    private Object signed(long value) {
        return random.nextBoolean() ? String.valueOf(value) : (Object) value;
    }

    private String hex(ByteString bytes) {
        String text = HexFormat.of().formatHex(bytes.toByteArray());
        return random.nextBoolean() ? text : text.toUpperCase(Locale.ROOT);
    }

    private Map<String, Object> object(Map<String, Object> fields) {
        List<String> names = new ArrayList<>(fields.keySet());
        Collections.shuffle(names, random);
        Map<String, Object> shuffled = new LinkedHashMap<>();
        names.forEach(name -> shuffled.put(name, fields.get(name)));
        return shuffled;
    }
}
