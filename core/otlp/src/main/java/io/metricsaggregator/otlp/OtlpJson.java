package io.metricsaggregator.otlp;

import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code ExportTraceServiceRequest} in the JSON encoding of OTLP: names in lowerCamelCase, ids in hexadecimal, enums as
 * numbers, 64-bit integers as strings or numbers; null is the default. Gives the same spans as {@link OtlpTraces}.
 */
final class OtlpJson {
    private static final int HEX = 16;
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(Long.SIZE);

    private final JsonCursor in;
    private final SpanBatch into;

    private OtlpJson(JsonCursor in, SpanBatch into) {
        this.in = in;
        this.into = into;
    }

    /** Reads one value of a known field. */
    private interface Field {
        /** Reads the value of a field; returns false if the name is not known. */
        boolean read(String name) throws IOException, InvalidJson, InvalidOtlpException;
    }

    /** Reads one element of an array. */
    private interface Element {
        void read() throws IOException, InvalidJson, InvalidOtlpException;
    }

    /**
     * Reads a body.
     *
     * @throws InvalidOtlpException if it is not one JSON object, or a known field is of another type
     */
    static SpanBatch read(byte[] body, Wanted wanted) throws InvalidOtlpException {
        SpanBatch batch = new SpanBatch(wanted);
        try (JsonCursor cursor = JsonCursor.over(body, 0, body.length)) {
            if (!cursor.next() || !cursor.enterObject()) {
                throw new InvalidOtlpException("the body is not a JSON object");
            }
            new OtlpJson(cursor, batch).request();
            if (cursor.next()) {
                throw new InvalidOtlpException("text follows the JSON object at byte " + cursor.bytes());
            }
        } catch (InvalidJson e) {
            throw new InvalidOtlpException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
        return batch;
    }

    private void request() throws IOException, InvalidJson, InvalidOtlpException {
        fields(name -> name.equals("resourceSpans") && elements(name, this::resourceSpans));
    }

    private void resourceSpans() throws IOException, InvalidJson, InvalidOtlpException {
        object("resourceSpans", name -> switch (name) {
            case "resource" -> object(name, inner -> inner.equals("attributes") && attributes(inner, true));
            case "scopeSpans" ->
                elements(name, () -> object(name, inner -> inner.equals("spans") && elements(inner, this::span)));
            default -> false;
        });
        into.endResource();
    }

    private void span() throws IOException, InvalidJson, InvalidOtlpException {
        into.startSpan();
        object("spans", this::spanField);
        into.endSpan();
    }

    private boolean spanField(String name) throws IOException, InvalidJson, InvalidOtlpException {
        switch (name) {
            case "traceId" -> {
                String text = string(name);
                boolean whole = text.length() == 2 * HEX && isHex(text);
                into.traceHigh = whole ? Long.parseUnsignedLong(text, 0, HEX, HEX) : 0;
                into.traceLow = whole ? Long.parseUnsignedLong(text, HEX, 2 * HEX, HEX) : 0;
            }
            case "spanId" -> into.id = spanId(name);
            case "parentSpanId" -> into.parent = spanId(name);
            case "kind" -> into.kind = (int) integer(name, in.value());
            case "startTimeUnixNano" -> into.startNanos = integer(name, in.value());
            case "endTimeUnixNano" -> into.endNanos = integer(name, in.value());
            case "attributes" -> attributes(name, false);
            case "events" -> elements(name, this::event);
            case "status" -> object(name, this::statusField);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean statusField(String name) throws IOException, InvalidJson, InvalidOtlpException {
        switch (name) {
            case "code" -> into.status = (int) integer(name, in.value());
            case "message" -> into.statusMessage = SpanBatch.cut(string(name));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void event() throws IOException, InvalidJson, InvalidOtlpException {
        String[] name = {""};
        long[] nanos = {0};
        object("events", field -> {
            switch (field) {
                case "name" -> name[0] = SpanBatch.cut(string(field));
                case "timeUnixNano" -> nanos[0] = integer(field, in.value());
                default -> {
                    return false;
                }
            }
            return true;
        });
        into.event(name[0], nanos[0]);
    }

    private boolean attributes(String of, boolean ofResource) throws IOException, InvalidJson, InvalidOtlpException {
        return elements(of, () -> attribute(of, ofResource));
    }

    /** Reads an attribute. A value before its name is read, as nothing says yet that it is not wanted. */
    private void attribute(String of, boolean ofResource) throws IOException, InvalidJson, InvalidOtlpException {
        @Nullable String[] name = {null};
        @Nullable Object[] value = {null};
        object(of, field -> {
            if (field.equals("key")) {
                name[0] = SpanBatch.cut(string(field));
                return true;
            }
            boolean read = field.equals("value") && (name[0] == null || isWanted(name[0], ofResource));
            if (read) {
                value[0] = anyValue(in.value());
            }
            return read;
        });
        String key = name[0] == null ? "" : name[0];
        if (ofResource) {
            into.resourceAttribute(key, value[0]);
        } else if (into.wantsAttribute(key)) {
            into.attribute(key, value[0]);
        }
    }

    private boolean isWanted(String name, boolean ofResource) {
        return ofResource ? into.wantsOfResource(name) : into.wantsAttribute(name);
    }

    private static @Nullable Object anyValue(@Nullable Object tree) throws InvalidOtlpException {
        if (tree == null) {
            return null;
        }
        if (!(tree instanceof Map<?, ?> map)) {
            throw new InvalidOtlpException("value of an attribute is not an object such as {\"stringValue\": \"…\"}");
        }
        Object value = scalar(map);
        if (map.get("arrayValue") instanceof Map<?, ?> array) {
            List<Object> list = new ArrayList<>();
            if (array.get("values") instanceof List<?> values) {
                for (Object each : values) {
                    Object element = each instanceof Map<?, ?> inner ? scalar(inner) : null;
                    if (element != null && list.size() < SpanBatch.ATTRIBUTES_MAX) {
                        list.add(element);
                    }
                }
            }
            return list;
        }
        return value;
    }

    private static @Nullable Object scalar(Map<?, ?> map) throws InvalidOtlpException {
        if (map.get("stringValue") instanceof String text) {
            return SpanBatch.cut(text);
        }
        if (map.get("boolValue") instanceof Boolean truth) {
            return truth;
        }
        if (map.get("intValue") != null) {
            return integer("intValue", map.get("intValue"));
        }
        return real(map.get("doubleValue"));
    }

    private static @Nullable Double real(@Nullable Object value) throws InvalidOtlpException {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        if (value instanceof String text) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException e) {
                throw new InvalidOtlpException("doubleValue '" + SpanBatch.cut(text) + "' is not a number");
            }
        }
        return null;
    }

    /** An integer as a number or a string; unsigned ones of 64 bits keep their bits. Null is 0. */
    private static long integer(String name, @Nullable Object value) throws InvalidOtlpException {
        if (value == null) {
            return 0;
        }
        if (value instanceof Long number) {
            return number;
        }
        try {
            BigInteger number = value instanceof BigInteger big
                    ? big
                    : value instanceof BigDecimal decimal && decimal.scale() <= 0 && decimal.scale() > -20
                            ? decimal.toBigIntegerExact()
                            : value instanceof String text && text.length() <= 20 ? new BigInteger(text) : null;
            if (number != null
                    && number.compareTo(BigInteger.valueOf(Long.MIN_VALUE)) >= 0
                    && number.compareTo(TWO_TO_64) < 0) {
                return number.longValue();
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidOtlpException(
                name + " '" + SpanBatch.cut(String.valueOf(value)) + "' is not an integer of 64 bits");
    }

    private long spanId(String name) throws IOException, InvalidJson, InvalidOtlpException {
        String text = string(name);
        return text.length() == HEX && isHex(text) ? Long.parseUnsignedLong(text, HEX) : 0;
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80 || Character.digit(text.charAt(i), HEX) < 0) {
                return false;
            }
        }
        return true;
    }

    private String string(String name) throws IOException, InvalidJson, InvalidOtlpException {
        Object value = in.value();
        if (value == null || value instanceof String) {
            return value == null ? "" : (String) value;
        }
        throw new InvalidOtlpException(name + " is not a string");
    }

    private boolean object(String name, Field field) throws IOException, InvalidJson, InvalidOtlpException {
        if (in.enterObject()) {
            fields(field);
        } else if (in.value() != null) {
            throw new InvalidOtlpException(name + " is not an object");
        }
        return true;
    }

    private void fields(Field field) throws IOException, InvalidJson, InvalidOtlpException {
        while (in.nextField()) {
            if (!field.read(in.name())) {
                in.skip();
            }
        }
    }

    private boolean elements(String name, Element element) throws IOException, InvalidJson, InvalidOtlpException {
        if (in.enterArray()) {
            while (in.nextElement()) {
                element.read();
            }
        } else if (in.value() != null) {
            throw new InvalidOtlpException(name + " is not an array");
        }
        return true;
    }
}
