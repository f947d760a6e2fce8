package io.metricsaggregator.otlp;

import java.util.Map;

/**
 * A span as far as a sample needs it. Times are nanoseconds since the Unix epoch.
 *
 * @param traceHigh the first 8 bytes of the trace id
 * @param traceLow the last 8 bytes of the trace id
 * @param id the span's id
 * @param parent the id of the parent span; 0 for none
 * @param kind as OTLP numbers it: 1 internal, 2 server, 3 client, 4 producer, 5 consumer; 0 unspecified
 * @param startNanos when the span started
 * @param endNanos when it ended
 * @param status 0 unset, 1 ok, 2 error
 * @param statusMessage empty for none
 * @param attributes the attributes that {@link Wanted} names: {@link String}, {@link Long}, {@link Double}, {@link Boolean}, or a list of those
 * @param chunkNanos time of the first event that {@link Wanted} names; 0 for none
 * @param service {@code service.name} of its resource; empty for none
 */
record Span(
        long traceHigh,
        long traceLow,
        long id,
        long parent,
        int kind,
        long startNanos,
        long endNanos,
        int status,
        String statusMessage,
        Map<String, Object> attributes,
        long chunkNanos,
        String service) {
    static final int SERVER = 2;
    static final int CONSUMER = 5;
    static final int ERROR = 2;

    /** The span of a resource with that {@code service.name}. */
    Span of(String name) {
        return new Span(
                traceHigh,
                traceLow,
                id,
                parent,
                kind,
                startNanos,
                endNanos,
                status,
                statusMessage,
                attributes,
                chunkNanos,
                name);
    }
}
