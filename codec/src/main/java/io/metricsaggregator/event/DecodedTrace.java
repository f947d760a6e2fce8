package io.metricsaggregator.event;

import io.metricsaggregator.codec.Utf8;

/**
 * What a record says of the same request elsewhere, as places in its bytes: the {@code traceparent} that the request carried, and the id of
 * its answer. Valid as long as the {@link DecodedEvent} it belongs to.
 */
public final class DecodedTrace {
    /** Longest {@code response_id}, in bytes; a longer one is ignored. */
    public static final int RESPONSE_ID_MAX_BYTES = 256;

    private static final int HEX = 16;
    /** Places of the ids in {@code 00-TRACE-SPAN-FLAGS}. */
    private static final int TRACE_START = 3;

    private static final int SPAN_START = TRACE_START + 2 * HEX + 1;
    private static final int FLAGS_START = SPAN_START + HEX + 1;
    private static final int LENGTH = FLAGS_START + 2;

    private final DecodedEvent event;
    private long traceHigh;
    private long traceLow;
    private long span;
    private int traceStart;
    private int responseStart;
    private int responseLength;

    DecodedTrace(DecodedEvent event) {
        this.event = event;
    }

    void clear() {
        traceStart = 0;
        traceHigh = 0;
        traceLow = 0;
        span = 0;
        responseStart = 0;
        responseLength = 0;
    }

    /** Takes the text of {@code traceparent} (W3C Trace Context, version 00); anything else is no trace. */
    void takeTraceparent(int start, int length) {
        boolean shaped = length == LENGTH
                && event.buffer.get(start) == '0'
                && event.buffer.get(start + 1) == '0'
                && event.buffer.get(start + TRACE_START - 1) == '-'
                && event.buffer.get(start + SPAN_START - 1) == '-'
                && event.buffer.get(start + FLAGS_START - 1) == '-'
                && isHex(start + TRACE_START, 2 * HEX)
                && isHex(start + SPAN_START, HEX);
        traceStart = start;
        traceHigh = shaped ? hex(start + TRACE_START) : 0;
        traceLow = shaped ? hex(start + TRACE_START + HEX) : 0;
        span = shaped ? hex(start + SPAN_START) : 0;
    }

    void takeResponseId(int start, int length) {
        responseStart = start;
        responseLength = length <= RESPONSE_ID_MAX_BYTES ? length : 0;
    }

    private boolean isHex(int start, int length) {
        for (int i = start; i < start + length; i++) {
            byte digit = event.buffer.get(i);
            if (!((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'))) {
                return false;
            }
        }
        return true;
    }

    private long hex(int start) {
        long value = 0;
        for (int i = start; i < start + HEX; i++) {
            value = value << 4 | Character.digit(event.buffer.get(i), HEX);
        }
        return value;
    }

    /** Whether the record has a valid {@code traceparent} or the id of an answer. */
    public boolean isPresent() {
        return event.hasOptional && (hasTrace() || responseLength > 0);
    }

    /** Whether the record has a valid {@code traceparent}. */
    public boolean hasTrace() {
        return (traceHigh | traceLow) != 0 && span != 0;
    }

    /** The first 8 bytes of the trace id; 0 unless {@link #hasTrace}. */
    public long traceHigh() {
        return traceHigh;
    }

    /** The last 8 bytes of the trace id; 0 unless {@link #hasTrace}. */
    public long traceLow() {
        return traceLow;
    }

    /** The id of the span that sent the request; 0 unless {@link #hasTrace}. */
    public long span() {
        return span;
    }

    /** The text of {@code traceparent}; valid only if {@link #hasTrace}. Allocates. */
    public String traceparent() {
        return Utf8.read(event.buffer, traceStart, LENGTH);
    }

    /** The id of the answer; empty if the record has none. Allocates. */
    public String responseId() {
        return responseLength == 0 ? "" : Utf8.read(event.buffer, responseStart, responseLength);
    }
}
