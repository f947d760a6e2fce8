package io.metricsaggregator.imports.k6;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events that xk6-sse has seen, by the request they belong to, until that request ends. Holds the events of requests in
 * flight, at most {@value #MAX}. Belongs to one reader.
 */
final class K6Events {
    /** Most events in memory. */
    static final int MAX = 1 << 24;

    private static final long[] NONE = {};

    private final K6Options options;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private long held;

    /** What is known of a request that has not ended. */
    private static final class Open {
        private @Nullable Long issued;
        private long[] nanos = NONE;
        private int count;

        private void add(long time) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, Math.max(16, 2 * count));
            }
            nanos[count++] = time;
        }
    }

    K6Events(K6Options options) {
        this.options = options;
    }

    /** Takes the start of a request, which xk6-sse measures before the first event. */
    void opened(String key, long nanos, ImportSink sink) throws IOException {
        Open before = open.remove(key);
        if (before != null) {
            hand(before, sink);
        }
        if (held >= MAX) {
            sink.skipped("sse_events_beyond_limit");
            return;
        }
        Open started = new Open();
        started.issued = nanos;
        open.put(key, started);
        held++;
    }

    /** Takes an event; {@code key} is null if nothing ties it to a request. */
    void event(@Nullable String key, long nanos, ImportSink sink) {
        if (key == null) {
            sink.skipped("sse_event_without_request");
        } else if (held >= MAX) {
            sink.skipped("sse_events_beyond_limit");
        } else {
            held++;
            open.computeIfAbsent(key, unused -> new Open()).add(nanos);
        }
    }

    /** Removes and returns the times of the events with content of a request that was in flight from {@code issued} to {@code ended}. */
    long[] take(@Nullable String key, long issued, long ended) {
        Open request = key == null ? null : open.remove(key);
        return request == null ? NONE : content(request, issued, ended);
    }

    private long[] content(Open request, long issued, long ended) {
        held -= request.count + (request.issued == null ? 0 : 1);
        int from = Math.min(options.skipFirst(), request.count);
        int to = Math.max(from, request.count - options.skipLast());
        return Arrays.stream(request.nanos, from, to)
                .filter(nanos -> nanos >= issued && nanos <= ended)
                .sorted()
                .toArray();
    }

    /** At the end of the file: hands over requests that began and did not end. Returns whether there are any. */
    boolean handOpen(ImportSink sink) throws IOException {
        boolean any = false;
        for (Open each : open.values()) {
            any |= each.issued != null;
            hand(each, sink);
        }
        open.clear();
        return any;
    }

    private void hand(Open request, ImportSink sink) throws IOException {
        if (request.issued == null) {
            sink.skipped("sse_event_without_request", request.count);
        } else {
            sink.request(ImportedRequest.issuedAt(request.issued)
                    .chunksAt(content(request, request.issued, Long.MAX_VALUE)));
        }
    }
}
