package io.metricsaggregator.otlp;

import io.metricsaggregator.event.DecodedTrace;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the spans of requests that are samples already, so that a request counts once. Such a request was measured on its way (a record with
 * {@code traceparent} or {@code response_id}), or by a span within the one in question, as two instrumented layers give. The rules, in order:
 *
 * <ol>
 *   <li>the span has the {@code gen_ai.response.id} of a measured answer;
 *   <li>the span is the sender of a measured request ({@code traceparent} names it), or one of the sender's ancestors;
 *   <li>the span is an ancestor of a span that is a sample;
 *   <li>a measured request of the same trace, whose sender is unknown, was issued between start and end of the span. It joins one span.
 * </ol>
 *
 * Remembers the last {@value #MOST} spans and requests; older ones are forgotten. Belongs to the thread that applies events.
 */
final class RequestJoin {
    static final int MOST = 1 << 16;
    private static final int REQUESTS_OF_TRACE_MAX = 256;
    /** Ancestors that are followed; a chain of parents may be a circle. */
    private static final int DEPTH_MAX = 64;
    /** Distance between the clocks of a span and of the daemon, and rounding. */
    private static final long TOLERANCE_NANOS = 5_000_000L;

    private final Recent<SpanKey, Long> parents = new Recent<>(MOST);
    private final Recent<SpanKey, Boolean> covered = new Recent<>(MOST);
    private final Recent<String, Boolean> answers = new Recent<>(MOST);
    private final Recent<SpanKey, ServerTimes> servers = new Recent<>(MOST);
    /** Measured requests by trace, under the key of span 0. */
    private final Recent<SpanKey, List<Request>> traces = new Recent<>(MOST / 4);

    /** A measured request whose sender is unknown as long as no span names it. */
    private record Request(long sender, long issuedNanos) {}

    /**
     * Takes a record of a measured request.
     *
     * @param timestampNanos of the record
     */
    void measured(DecodedTrace record, long timestampNanos) {
        String id = record.responseId();
        if (!id.isEmpty()) {
            answers.put(id, true);
        }
        if (record.hasTrace()) {
            SpanKey sender = new SpanKey(record.traceHigh(), record.traceLow(), record.span());
            List<Request> requests = traces.computeIfAbsent(sender.sibling(0), key -> new ArrayList<>());
            if (requests.size() < REQUESTS_OF_TRACE_MAX) {
                requests.add(new Request(sender.id(), timestampNanos));
            }
            cover(sender);
        }
    }

    /** Takes a span of any kind: it tells whose child its id is. */
    void link(Span span) {
        if (span.parent() == 0) {
            return;
        }
        SpanKey key = SpanKey.of(span);
        parents.put(key, span.parent());
        if (covered.containsKey(key)) {
            cover(key.sibling(span.parent()));
        }
    }

    /**
     * Whether the request of a span is a sample already. To be asked once for each span.
     *
     * @param startNanos start of the span on the clock of records
     * @param endNanos its end
     */
    boolean isCounted(Span span, long startNanos, long endNanos) {
        String id = GenAi.text(span, GenAi.RESPONSE_ID);
        if (id != null && answers.containsKey(id)) {
            settle(span, startNanos, endNanos);
            return true;
        }
        SpanKey key = SpanKey.of(span);
        if (covered.containsKey(key)) {
            List<Request> requests = traces.get(key.sibling(0));
            if (requests != null) {
                requests.removeIf(each -> each.sender == span.id());
            }
            return true;
        }
        return settle(span, startNanos, endNanos);
    }

    /** Joins a span with a measured request of unknown sender; returns false if there is none. */
    private boolean settle(Span span, long startNanos, long endNanos) {
        SpanKey trace = SpanKey.of(span).sibling(0);
        List<Request> requests = traces.get(trace);
        Request joined = requests == null ? null : within(requests, trace, startNanos, endNanos);
        if (requests == null || joined == null) {
            return false;
        }
        requests.remove(joined);
        return true;
    }

    private @Nullable Request within(List<Request> requests, SpanKey trace, long startNanos, long endNanos) {
        for (Request each : requests) {
            if (each.issuedNanos >= startNanos - TOLERANCE_NANOS
                    && each.issuedNanos <= endNanos + TOLERANCE_NANOS
                    && !parents.containsKey(trace.sibling(each.sender))) {
                return each;
            }
        }
        return null;
    }

    /** Takes the times of a server's span: they are of the requests that its ancestors sent. The span has to come before theirs. */
    void served(Span span, ServerTimes times) {
        SpanKey key = SpanKey.of(span);
        Long parent = span.parent();
        for (int i = 0; i < DEPTH_MAX && parent != null && parent != 0; i++) {
            key = key.sibling(parent);
            servers.put(key, times);
            parent = parents.get(key);
        }
    }

    /** The times of the server's span within a request's span; null without one, and where it comes later. */
    @Nullable
    ServerTimes servedFor(Span span) {
        return servers.get(SpanKey.of(span));
    }

    /** Notes that the request of a span is a sample, by itself or joined: the spans around it are the same request. */
    void counted(Span span) {
        if (span.parent() != 0) {
            cover(SpanKey.of(span).sibling(span.parent()));
        }
    }

    private void cover(SpanKey from) {
        SpanKey key = from;
        for (int i = 0; i < DEPTH_MAX; i++) {
            covered.put(key, true);
            Long parent = parents.get(key);
            if (parent == null) {
                return;
            }
            key = key.sibling(parent);
        }
    }
}
