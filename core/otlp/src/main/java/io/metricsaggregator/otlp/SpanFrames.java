package io.metricsaggregator.otlp;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedTrace;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.otlp.SpanQueue.Item;
import io.metricsaggregator.otlp.SpanQueue.SessionWish;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns the spans that a {@link SpanReceiver} queued into frames of event records, as a producer would send them: the records of a request in
 * the order of their times. Spans whose request is a sample already ({@link RequestJoin}) and repeated ones are counted and left out. Belongs
 * to the thread that applies events.
 */
public final class SpanFrames {
    private static final int BATCH_RECORDS = 1000;
    /** Time for which spans wait for the records of a proxy that measured their requests; producers send after 10 ms. */
    private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final String NO_SERVICE = "otlp";

    private final SpanReceiver receiver;
    private final SpanSamples mapping;
    private long holdNanos;
    private final RequestJoin join = new RequestJoin();
    private final Recent<SpanKey, Boolean> seen = new Recent<>(RequestJoin.MOST);
    private final EventEncoder encoder = new EventEncoder();
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private boolean started;
    private boolean stopped;
    private long newestNanos = Long.MIN_VALUE;
    private long samples;
    private long joined;
    private long repeated;
    private long dropped;

    /** A record with the worker it comes from. */
    private record Sourced(EventRecord record, String source) {}

    /**
     * Frames of what a receiver queues.
     *
     * @param offsetNanos wall clock minus the daemon's monotonic clock, in nanoseconds
     */
    public SpanFrames(SpanReceiver receiver, long offsetNanos) {
        this.receiver = receiver;
        this.mapping = new SpanSamples(offsetNanos);
        this.holdNanos = receiver.ownsSession() ? 0 : HOLD_NANOS;
    }

    /** Takes a record of another producer that says of which trace its request is. */
    public void measured(DecodedEvent record) {
        DecodedTrace trace = record.trace();
        // Records made of spans say of which trace they are, too.
        if (!seen.containsKey(new SpanKey(trace.traceHigh(), trace.traceLow(), trace.span()))) {
            join.measured(trace, record.timestampNanos());
        }
    }

    /** Removes and returns the next frame that is due; null if there is none. */
    public byte @Nullable [] poll(long nowNanos) {
        while (frames.isEmpty()) {
            Item item = receiver.queue().peek();
            if (item == null || nowNanos - item.receivedNanos() < holdNanos) {
                return null;
            }
            receiver.queue().poll();
            apply(item, nowNanos);
        }
        return frames.poll();
    }

    /** Nanoseconds until a frame is due; {@link Long#MAX_VALUE} if nothing waits. */
    public long nanosUntilDue(long nowNanos) {
        Item item = receiver.queue().peek();
        if (item == null) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, holdNanos - (nowNanos - item.receivedNanos()));
    }

    /** Makes all spans due that wait for the records of a proxy. */
    public void release() {
        holdNanos = 0;
    }

    /** Takes no further spans, because the session has ended; those that wait are dropped and counted. */
    public void end() {
        dropped += receiver.queue().close();
        frames.clear();
    }

    /** What became of the spans so far. */
    public OtlpCounts counts() {
        return new OtlpCounts(
                receiver.requests(),
                receiver.refused(),
                receiver.spans(),
                samples,
                receiver.other(),
                joined,
                repeated,
                receiver.rejected(),
                dropped,
                mapping.valuesRejected());
    }

    private void apply(Item item, long nowNanos) {
        if (item.session() == SessionWish.START) {
            start(nowNanos);
        } else if (item.session() == SessionWish.STOP) {
            stop(nowNanos);
        } else {
            apply(item.spans());
        }
    }

    private void start(long nanos) {
        if (!started) {
            started = true;
            session(nanos, EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING);
        }
    }

    private void stop(long nowNanos) {
        if (!stopped) {
            stopped = true;
            start(nowNanos);
            session(
                    Math.max(nowNanos, newestNanos),
                    EventType.SESSION_STOP_PERFORMANCE_TRACKING,
                    EventType.SESSION_ENDED);
        }
    }

    private void session(long nanos, EventType... types) {
        List<Sourced> records = new ArrayList<>();
        for (EventType type : types) {
            records.add(new Sourced(EventRecord.session(type, nanos), NO_SERVICE));
        }
        add(records);
    }

    private void apply(List<Span> spans) {
        for (Span span : spans) {
            join.link(span);
        }
        for (Span span : spans) {
            ServerTimes times = GenAi.isRequest(span) ? null : mapping.server(span);
            if (times != null) {
                join.served(span, times);
            }
        }
        // Inner spans end first and are the requests themselves.
        List<Span> requests =
                new ArrayList<>(spans.stream().filter(GenAi::isRequest).toList());
        requests.sort(Comparator.comparingLong(Span::endNanos)
                .thenComparing(Comparator.comparingLong(Span::startNanos).reversed()));
        List<Sourced> records = new ArrayList<>();
        for (Span span : requests) {
            apply(span, records);
        }
        if (records.isEmpty()) {
            return;
        }
        // Stable: the records of one sample with equal times keep their order.
        records.sort(Comparator.comparingLong(each -> each.record.timestampNanos()));
        newestNanos =
                Math.max(newestNanos, records.get(records.size() - 1).record.timestampNanos());
        if (receiver.ownsSession()) {
            start(records.get(0).record.timestampNanos());
        }
        add(records);
    }

    private void apply(Span span, List<Sourced> into) {
        if (seen.put(SpanKey.of(span), true) != null) {
            repeated++;
            return;
        }
        boolean isCounted =
                join.isCounted(span, mapping.monotonic(span.startNanos()), mapping.monotonic(span.endNanos()));
        join.counted(span);
        if (isCounted) {
            joined++;
            return;
        }
        samples++;
        List<EventRecord> records = new ArrayList<>();
        ServerTimes own = mapping.server(span);
        mapping.add(span, own == null ? join.servedFor(span) : own, records);
        String source = span.service().isEmpty() ? NO_SERVICE : span.service();
        for (EventRecord each : records) {
            into.add(new Sourced(each, source));
        }
    }

    private void add(List<Sourced> records) {
        for (int from = 0; from < records.size(); from += BATCH_RECORDS) {
            List<byte[]> payloads = new ArrayList<>();
            for (Sourced each : records.subList(from, Math.min(records.size(), from + BATCH_RECORDS))) {
                payloads.add(encoder.encodePresent(each.record, each.source, null));
            }
            frames.add(Topic.frame("batch", encoder.encodeBatch(payloads)));
        }
    }
}
