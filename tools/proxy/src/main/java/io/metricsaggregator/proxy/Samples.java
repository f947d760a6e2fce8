package io.metricsaggregator.proxy;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session of a proxy and the samples in it. The session begins with the first measured request or when it is asked for, and ends when it is
 * asked for or the proxy closes; requests after its end are counted, not measured, until another begins. Thread-safe.
 */
final class Samples {
    /** Longest id of a request that is taken over. */
    private static final int ID_MAX_CHARS = 128;
    /** Length of the header in version 00 of W3C Trace Context. */
    private static final int TRACEPARENT_CHARS = 55;
    /** Ids that are remembered, so that a repeated one does not merge two samples. */
    private static final int IDS_MAX = 65_536;

    private static final HexFormat HEX = HexFormat.of();

    private final RecordQueue records;
    private final ProxyCounts counts;
    private final Map<String, String> labels;
    private final long life = System.currentTimeMillis();
    private final Map<String, Boolean> ids = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > IDS_MAX;
        }
    };

    private State state = State.NOT_STARTED;
    private long issued;
    private volatile long firstRequestNanos;

    private enum State {
        NOT_STARTED,
        OPEN,
        ENDED
    }

    Samples(RecordQueue records, ProxyCounts counts, Map<String, String> labels) {
        this.records = records;
        this.counts = counts;
        this.labels = labels;
    }

    /** Time of the first measured request on the clock of {@link System#nanoTime}; 0 before it. */
    long firstRequestNanos() {
        return firstRequestNanos;
    }

    /**
     * Begins a sample, and the session if none has begun.
     *
     * @param requestId as the client sent it; null if it sent none
     * @param traceparent as the client sent it; null if it sent none
     * @return null outside a session
     */
    synchronized @Nullable Sample begin(@Nullable String requestId, @Nullable String traceparent, long nanos) {
        if (firstRequestNanos == 0) {
            firstRequestNanos = nanos;
        }
        if (state == State.NOT_STARTED) {
            startAt(nanos);
        }
        if (state != State.OPEN) {
            counts.outsideSession.increment();
            return null;
        }
        counts.measured.increment();
        String own = HEX.toHexDigits(life) + HEX.toHexDigits(issued++);
        String id = requestId != null && isId(requestId) && ids.put(requestId, true) == null ? requestId : own;
        boolean traced = traceparent != null && traceparent.length() == TRACEPARENT_CHARS;
        return new Sample(id, records, counts, labels, traced ? traceparent : null);
    }

    private static boolean isId(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= ID_MAX_CHARS;
    }

    /** Starts a session; false if one is open. */
    synchronized boolean start() {
        if (state == State.OPEN) {
            return false;
        }
        startAt(System.nanoTime());
        return true;
    }

    private void startAt(long nanos) {
        state = State.OPEN;
        records.add(EventRecord.session(EventType.SESSION_STARTED, nanos));
        records.add(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, nanos));
    }

    /** Ends the session; false if none is open. */
    synchronized boolean end() {
        if (state != State.OPEN) {
            return false;
        }
        state = State.ENDED;
        long now = System.nanoTime();
        records.add(EventRecord.session(EventType.SESSION_STOP_LOADGEN, now));
        records.add(EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, now));
        records.add(EventRecord.session(EventType.SESSION_ENDED, now));
        return true;
    }
}
