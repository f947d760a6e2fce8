package io.metricsaggregator.otlp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code ExportTraceServiceRequest} (opentelemetry-proto, trace service v1) by the wire format of protobuf, without generated
 * classes: fields that it does not need are skipped unread. A known field of another wire type is an unknown field, and the last of
 * repeated single values counts, as in any protobuf parser. Nothing is nested by recursion, so depth costs nothing.
 */
final class OtlpTraces {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private static final int TRACE_ID_BYTES = 16;
    /** Bytes of a string that are decoded: more than {@link SpanBatch#TEXT_MAX} characters. */
    private static final int TEXT_MAX_BYTES = 4 * SpanBatch.TEXT_MAX;

    private final byte[] body;
    private final ByteBuffer littleEndian;
    private final SpanBatch into;
    private int at;
    /** Field number and wire type of the last tag. */
    private int field;

    private int wireType;

    private OtlpTraces(byte[] body, SpanBatch into) {
        this.body = body;
        this.littleEndian = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        this.into = into;
    }

    /**
     * Reads a body.
     *
     * @throws InvalidOtlpException if it is not protobuf, or is cut
     */
    static SpanBatch read(byte[] body, Wanted wanted) throws InvalidOtlpException {
        SpanBatch batch = new SpanBatch(wanted);
        new OtlpTraces(body, batch).request();
        return batch;
    }

    private void request() throws InvalidOtlpException {
        while (at < body.length) {
            tag(body.length);
            if (is(1, BYTES)) {
                resourceSpans(block(body.length));
            } else {
                skip(body.length);
            }
        }
    }

    private void resourceSpans(int end) throws InvalidOtlpException {
        while (at < end) {
            tag(end);
            if (is(1, BYTES)) {
                resource(block(end));
            } else if (is(2, BYTES)) {
                scopeSpans(block(end));
            } else {
                skip(end);
            }
        }
        into.endResource();
    }

    private void resource(int end) throws InvalidOtlpException {
        while (at < end) {
            tag(end);
            if (is(1, BYTES)) {
                keyValue(block(end), true);
            } else {
                skip(end);
            }
        }
    }

    private void scopeSpans(int end) throws InvalidOtlpException {
        while (at < end) {
            tag(end);
            if (is(2, BYTES)) {
                span(block(end));
            } else {
                skip(end);
            }
        }
    }

    private void span(int end) throws InvalidOtlpException {
        into.startSpan();
        while (at < end) {
            tag(end);
            if (is(1, BYTES)) {
                int idEnd = block(end);
                boolean whole = idEnd - at == TRACE_ID_BYTES;
                into.traceHigh = whole ? bigEndian(at) : 0;
                into.traceLow = whole ? bigEndian(at + Long.BYTES) : 0;
                at = idEnd;
            } else if (is(2, BYTES)) {
                into.id = spanId(end);
            } else if (is(4, BYTES)) {
                into.parent = spanId(end);
            } else if (is(6, VARINT)) {
                into.kind = (int) varint(end);
            } else if (is(7, FIXED64)) {
                into.startNanos = fixed64(end);
            } else if (is(8, FIXED64)) {
                into.endNanos = fixed64(end);
            } else if (is(9, BYTES)) {
                keyValue(block(end), false);
            } else if (is(11, BYTES)) {
                event(block(end));
            } else if (is(15, BYTES)) {
                status(block(end));
            } else {
                skip(end);
            }
        }
        into.endSpan();
    }

    private long spanId(int end) throws InvalidOtlpException {
        int idEnd = block(end);
        long id = idEnd - at == Long.BYTES ? bigEndian(at) : 0;
        at = idEnd;
        return id;
    }

    private void event(int end) throws InvalidOtlpException {
        String name = "";
        long nanos = 0;
        while (at < end) {
            tag(end);
            if (is(1, FIXED64)) {
                nanos = fixed64(end);
            } else if (is(2, BYTES)) {
                name = text(end);
            } else {
                skip(end);
            }
        }
        into.event(name, nanos);
    }

    private void status(int end) throws InvalidOtlpException {
        while (at < end) {
            tag(end);
            if (is(2, BYTES)) {
                into.statusMessage = text(end);
            } else if (is(3, VARINT)) {
                into.status = (int) varint(end);
            } else {
                skip(end);
            }
        }
    }

    /** Reads an attribute. The name may come after the value, which is then read again. */
    private void keyValue(int end, boolean ofResource) throws InvalidOtlpException {
        int start = at;
        String name = "";
        while (at < end) {
            tag(end);
            if (is(1, BYTES)) {
                name = text(end);
            } else {
                skip(end);
            }
        }
        if (!(ofResource ? into.wantsOfResource(name) : into.wantsAttribute(name))) {
            return;
        }
        at = start;
        Object value = null;
        while (at < end) {
            tag(end);
            if (is(2, BYTES)) {
                value = anyValue(block(end), value);
            } else {
                skip(end);
            }
        }
        if (ofResource) {
            into.resourceAttribute(name, value);
        } else {
            into.attribute(name, value);
        }
    }

    /** Reads an {@code AnyValue}: null for one without a value, maps and bytes. */
    private @Nullable Object anyValue(int end, @Nullable Object before) throws InvalidOtlpException {
        Object value = before;
        while (at < end) {
            tag(end);
            if (is(5, BYTES)) {
                value = array(block(end));
            } else if (is(6, BYTES) || is(7, BYTES)) {
                skip(end);
                value = null;
            } else {
                value = scalar(end, value);
            }
        }
        return value;
    }

    private @Nullable Object scalar(int end, @Nullable Object before) throws InvalidOtlpException {
        if (is(1, BYTES)) {
            return text(end);
        } else if (is(2, VARINT)) {
            return varint(end) != 0;
        } else if (is(3, VARINT)) {
            return varint(end);
        } else if (is(4, FIXED64)) {
            return Double.longBitsToDouble(fixed64(end));
        }
        skip(end);
        return before;
    }

    /** Reads the strings, numbers and booleans of an array; elements of other kinds are left out. */
    private List<Object> array(int end) throws InvalidOtlpException {
        List<Object> elements = new ArrayList<>();
        while (at < end) {
            tag(end);
            if (!is(1, BYTES)) {
                skip(end);
                continue;
            }
            int elementEnd = block(end);
            Object element = null;
            while (at < elementEnd) {
                tag(elementEnd);
                if (wireType == BYTES && field >= 5 && field <= 7) {
                    skip(elementEnd);
                    element = null;
                } else {
                    element = scalar(elementEnd, element);
                }
            }
            if (element != null && elements.size() < SpanBatch.ATTRIBUTES_MAX) {
                elements.add(element);
            }
        }
        return elements;
    }

    private boolean is(int number, int type) {
        return field == number && wireType == type;
    }

    private void tag(int end) throws InvalidOtlpException {
        int start = at;
        long tag = varint(end);
        if (tag >>> 32 != 0 || tag >>> 3 == 0) {
            throw InvalidOtlpException.at(start, "tag " + Long.toUnsignedString(tag) + " is no field");
        }
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
    }

    /** Reads a length and returns where the block of that length ends. */
    private int block(int end) throws InvalidOtlpException {
        int start = at;
        long length = varint(end);
        if (length < 0 || length > end - at) {
            throw InvalidOtlpException.at(
                    start, "length " + Long.toUnsignedString(length) + " is beyond the " + (end - at) + " bytes left");
        }
        return at + (int) length;
    }

    private String text(int end) throws InvalidOtlpException {
        int textEnd = block(end);
        String text = new String(body, at, Math.min(textEnd - at, TEXT_MAX_BYTES), StandardCharsets.UTF_8);
        at = textEnd;
        return SpanBatch.cut(text);
    }

    private long bigEndian(int index) {
        return Long.reverseBytes(littleEndian.getLong(index));
    }

    private long fixed64(int end) throws InvalidOtlpException {
        require(end, Long.BYTES);
        long value = littleEndian.getLong(at);
        at += Long.BYTES;
        return value;
    }

    private long varint(int end) throws InvalidOtlpException {
        int start = at;
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            require(end, 1);
            byte next = body[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw InvalidOtlpException.at(start, "a varint has more than 10 bytes");
    }

    private void skip(int end) throws InvalidOtlpException {
        switch (wireType) {
            case VARINT -> varint(end);
            case FIXED64 -> {
                require(end, Long.BYTES);
                at += Long.BYTES;
            }
            case BYTES -> at = block(end);
            case FIXED32 -> {
                require(end, Integer.BYTES);
                at += Integer.BYTES;
            }
            default -> throw InvalidOtlpException.at(at, "wire type " + wireType + " of field " + field);
        }
    }

    private void require(int end, int bytes) throws InvalidOtlpException {
        if (end - at < bytes) {
            throw InvalidOtlpException.at(at, "the message is cut");
        }
    }
}
