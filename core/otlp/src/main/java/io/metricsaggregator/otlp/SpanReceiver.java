package io.metricsaggregator.otlp;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.otlp.SpanQueue.Item;
import io.metricsaggregator.otlp.SpanQueue.SessionWish;
import io.metricsaggregator.otlp.TraceBody.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives bodies of {@code POST /v1/traces} on any thread: reads them, answers the exporter, and queues the spans for {@link SpanFrames}. A
 * request is taken whole, or refused with 503 so that the exporter sends it again: nothing is lost for want of room.
 */
public final class SpanReceiver {
    /** Spans that may wait for the thread that applies events. */
    static final int WAITING_MAX = 1 << 16;

    private static final int BODY_MAX_BYTES = 16 << 20;
    private static final int BODY_MIN_BYTES = 1 << 20;
    /** A body, its inflated bytes and its spans exist at the same time, on several connections. */
    private static final int HEAP_SHARE = 64;

    private static final long CLOCK_MAX_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int RETRY_SECONDS = 1;

    private final SpanQueue queue = new SpanQueue(WAITING_MAX);
    private final int bodyMaxBytes;
    private final boolean ownsSession;
    private final Runnable wake;
    private final LongSupplier wallClock;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong spans = new AtomicLong();
    private final AtomicLong other = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();

    /**
     * A receiver without spans.
     *
     * @param ownsSession whether the spans are the only input, so that they begin the session and a client may end it
     * @param wake wakes the thread that applies events; called after each request
     */
    public SpanReceiver(boolean ownsSession, Runnable wake) {
        this(ownsSession, wake, EpochNanos::now);
    }

    /** A receiver with another wall clock, in nanoseconds since the Unix epoch. */
    SpanReceiver(boolean ownsSession, Runnable wake, LongSupplier wallClock) {
        this.ownsSession = ownsSession;
        this.wake = wake;
        this.wallClock = wallClock;
        this.bodyMaxBytes = (int) Math.max(
                BODY_MIN_BYTES, Math.min(BODY_MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /** Largest body, as received and once inflated, in bytes: 16 MiB, or a 64th of a smaller heap, but at least 1 MiB. */
    public int bodyMaxBytes() {
        return bodyMaxBytes;
    }

    /** Whether the spans are the only input, so that they begin the session and a client may end it. */
    boolean ownsSession() {
        return ownsSession;
    }

    SpanQueue queue() {
        return queue;
    }

    /**
     * Takes the body of a request, and says what to answer. Any thread; may take milliseconds for a large body.
     *
     * @param contentType value of {@code Content-Type}; null for none
     * @param contentEncoding value of {@code Content-Encoding}; null for none
     */
    public Reply receive(@Nullable String contentType, @Nullable String contentEncoding, byte[] body) {
        Boolean json = TraceBody.isJson(contentType);
        if (json == null) {
            return refuse(
                    true, 415, "Content-Type '" + contentType + "' is not " + Reply.PROTOBUF + " or " + Reply.JSON);
        }
        SpanBatch batch;
        try {
            batch = TraceBody.read(body, json, contentEncoding, bodyMaxBytes);
        } catch (RefusedException e) {
            return refuse(json, e.status, String.valueOf(e.getMessage()));
        }
        return take(batch, json);
    }

    private Reply refuse(boolean json, int status, String problem) {
        refused.incrementAndGet();
        return Reply.refused(json, status, problem, status == 503 ? RETRY_SECONDS : 0);
    }

    private Reply take(SpanBatch batch, boolean json) {
        long now = wallClock.getAsLong();
        List<Span> kept = new ArrayList<>();
        int notRequests = 0;
        int misdated = 0;
        for (Span span : batch.spans()) {
            if (!GenAi.isRequest(span)) {
                notRequests++;
                kept.add(span);
            } else if (Math.abs(span.endNanos() - now) > CLOCK_MAX_NANOS) {
                misdated++;
            } else {
                kept.add(span);
            }
        }
        if (!kept.isEmpty() && !queue.offer(new Item(kept, null, System.nanoTime()))) {
            return refuse(json, 503, "more than " + WAITING_MAX + " spans are waiting, or the run has ended");
        }
        requests.incrementAndGet();
        spans.addAndGet((long) batch.spans().size() + batch.rejected());
        rejected.addAndGet((long) batch.rejected() + misdated);
        other.addAndGet(notRequests);
        wake.run();
        String problem = batch.firstProblem();
        if (problem == null && misdated > 0) {
            problem = "a span ends more than an hour away from this host's clock";
        }
        return problem == null ? Reply.taken(json) : Reply.partly(json, (long) batch.rejected() + misdated, problem);
    }

    /**
     * Starts or ends the session behind the spans received so far; does nothing if it belongs to other producers. Any thread.
     *
     * @param stop whether to end it: the run, and with it the listener, then ends
     */
    public void session(boolean stop) {
        if (ownsSession) {
            queue.offer(new Item(List.of(), stop ? SessionWish.STOP : SessionWish.START, System.nanoTime()));
            wake.run();
        }
    }

    long requests() {
        return requests.get();
    }

    long refused() {
        return refused.get();
    }

    long spans() {
        return spans.get();
    }

    long other() {
        return other.get();
    }

    long rejected() {
        return rejected.get();
    }
}
