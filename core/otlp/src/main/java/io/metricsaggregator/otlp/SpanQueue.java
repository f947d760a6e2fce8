package io.metricsaggregator.otlp;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests that wait for the thread that applies events, bounded by their spans: a request is taken whole or not at all. Thread-safe. */
final class SpanQueue {
    /**
     * A request, or the wish to start or end the session.
     *
     * @param spans empty for a wish
     * @param session null for a request
     * @param receivedNanos monotonic time of receipt
     */
    record Item(List<Span> spans, @Nullable SessionWish session, long receivedNanos) {}

    /** What a client asks of the session. */
    enum SessionWish {
        START,
        STOP
    }

    /** Wishes that wait; they cost nothing, so a client that repeats them is not told to wait. */
    private static final int WISHES_MAX = 64;

    private final int spansMax;
    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private int spans;
    private int wishes;
    private boolean closed;

    SpanQueue(int spansMax) {
        this.spansMax = spansMax;
    }

    /** Adds an item unless there is no room; an empty queue has room for any request. */
    synchronized boolean offer(Item item) {
        boolean fits =
                item.session() == null ? spans == 0 || spans + item.spans().size() <= spansMax : wishes < WISHES_MAX;
        if (closed || !fits) {
            return false;
        }
        items.add(item);
        spans += item.spans().size();
        wishes += item.session() == null ? 0 : 1;
        return true;
    }

    /** The oldest item, which stays; null if the queue is empty. */
    synchronized @Nullable Item peek() {
        return items.peek();
    }

    /** Removes and returns the oldest item; null if the queue is empty. */
    synchronized @Nullable Item poll() {
        Item item = items.poll();
        if (item != null) {
            spans -= item.spans().size();
            wishes -= item.session() == null ? 0 : 1;
        }
        return item;
    }

    /** Takes nothing from now on. Returns the number of spans of requests to a model that were waiting; they are gone. */
    synchronized long close() {
        closed = true;
        long left = items.stream()
                .flatMap(item -> item.spans().stream())
                .filter(GenAi::isRequest)
                .count();
        items.clear();
        spans = 0;
        wishes = 0;
        return left;
    }
}
