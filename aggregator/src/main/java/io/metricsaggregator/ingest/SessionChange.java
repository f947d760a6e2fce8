package io.metricsaggregator.ingest;

import io.metricsaggregator.event.BatchReader;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import java.nio.ByteBuffer;

/**
 * Finds the frame with which another benchmark begins while a resumed run is still open: one with a {@code session.started} whose
 * time is not that of the run's own. One thread.
 */
public final class SessionChange {
    private final LoadgenFold fold;
    private final BatchReader batch = new BatchReader();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    /** Compares with the session of {@code fold}; before that has started, no session is another one. */
    public SessionChange(LoadgenFold fold) {
        this.fold = fold;
    }

    /** Whether a frame holds the start of another session. Allocates nothing. */
    public boolean isIn(ByteBuffer buffer, int start, int length) {
        if (!fold.hasSessionStarted() || length <= Topic.LENGTH) {
            return false;
        }
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (!Topic.isBatch(buffer, start)) {
            return isOther(buffer, payload, size);
        }
        batch.open(buffer, payload, size);
        while (batch.next()) {
            if (batch.length() > 0 && isOther(buffer, batch.start(), batch.length())) {
                return true;
            }
        }
        return false;
    }

    private boolean isOther(ByteBuffer buffer, int start, int length) {
        return EventDecoder.mayBe(EventType.SESSION_STARTED, buffer, start, length)
                && decoder.decode(buffer, start, length, event) == null
                && event.type() == EventType.SESSION_STARTED
                && event.hasTimestamp()
                && event.timestampNanos() != fold.startedNanos();
    }
}
