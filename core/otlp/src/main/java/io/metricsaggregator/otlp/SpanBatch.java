package io.metricsaggregator.otlp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one request body. Both readers fill it: they set the fields of the span that they read and call {@link #endSpan}. One
 * thread.
 */
final class SpanBatch {
    /** Spans of a body that are kept; exporters send 512 at a time unless told otherwise. */
    static final int SPANS_MAX = 1 << 16;
    /** Attributes kept of a span, and elements of a list. */
    static final int ATTRIBUTES_MAX = 64;
    /** Characters kept of a string. */
    static final int TEXT_MAX = 1024;

    private static final String SERVICE = "service.name";

    private final List<Span> spans = new ArrayList<>();
    private final Wanted wanted;
    private int firstOfResource;
    private int rejected;
    private @Nullable String firstProblem;
    private String service = "";

    // The span that is being read.
    long traceHigh;
    long traceLow;
    long id;
    long parent;
    int kind;
    long startNanos;
    long endNanos;
    int status;
    String statusMessage = "";
    private Map<String, Object> attributes = new HashMap<>();
    private long chunkNanos;

    SpanBatch(Wanted wanted) {
        this.wanted = wanted;
    }

    /** Spans that can be samples or parents of samples, in the order of the body. */
    List<Span> spans() {
        return spans;
    }

    /** Spans that break a rule of OTLP, or came after {@value #SPANS_MAX} others. */
    int rejected() {
        return rejected;
    }

    /** Why the first rejected span was rejected; null without one. */
    @Nullable
    String firstProblem() {
        return firstProblem;
    }

    boolean wantsAttribute(String name) {
        return wanted.attribute().test(name);
    }

    boolean wantsOfResource(String name) {
        return SERVICE.equals(name);
    }

    void attribute(String name, @Nullable Object value) {
        if (value != null && (attributes.size() < ATTRIBUTES_MAX || attributes.containsKey(name))) {
            attributes.put(name, value);
        }
    }

    void resourceAttribute(String name, @Nullable Object value) {
        if (SERVICE.equals(name) && value instanceof String text) {
            service = text;
        }
    }

    void event(String name, long nanos) {
        if (wanted.event().test(name) && nanos > 0 && (chunkNanos == 0 || nanos < chunkNanos)) {
            chunkNanos = nanos;
        }
    }

    void startSpan() {
        traceHigh = 0;
        traceLow = 0;
        id = 0;
        parent = 0;
        kind = 0;
        startNanos = 0;
        endNanos = 0;
        status = 0;
        statusMessage = "";
        attributes = new HashMap<>();
        chunkNanos = 0;
    }

    void endSpan() {
        String problem = problem();
        if (problem != null) {
            rejected++;
            firstProblem = firstProblem == null ? problem : firstProblem;
            return;
        }
        spans.add(new Span(
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
                ""));
    }

    private @Nullable String problem() {
        if (traceHigh == 0 && traceLow == 0) {
            return "a trace_id is not 16 bytes or all zero";
        }
        if (id == 0) {
            return "a span_id is not 8 bytes or all zero";
        }
        if (startNanos <= 0 || endNanos < startNanos) {
            return "a span starts at " + Long.toUnsignedString(startNanos) + " and ends at "
                    + Long.toUnsignedString(endNanos);
        }
        return spans.size() == SPANS_MAX ? "a body has more than " + SPANS_MAX + " spans" : null;
    }

    /** Ends the spans of a resource, whose attributes may come after them. */
    void endResource() {
        if (!service.isEmpty()) {
            for (int i = firstOfResource; i < spans.size(); i++) {
                spans.set(i, spans.get(i).of(service));
            }
        }
        firstOfResource = spans.size();
        service = "";
    }

    /** Cuts a string to the length that is kept. Half a surrogate pair, which JSON can have and UTF-8 cannot, becomes a question mark. */
    static String cut(String text) {
        String kept = text;
        if (text.length() > TEXT_MAX) {
            kept = text.substring(0, Character.isHighSurrogate(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX);
        }
        boolean hasSurrogates = kept.chars().anyMatch(unit -> Character.isSurrogate((char) unit));
        return hasSurrogates ? new String(kept.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) : kept;
    }
}
