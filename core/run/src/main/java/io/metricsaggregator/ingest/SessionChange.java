package io.metricsaggregator.ingest;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import java.nio.ByteBuffer;

/**
 * Detects the frame with which another benchmark begins while a resumed run is still open: it holds a {@code session.started} whose time
 * differs from that of the run. Belongs to the thread that receives.
 */
public final class SessionChange {
    private final LoadgenFold fold;
    private final BatchReader batch = new BatchReader();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    /** A detector for the session of {@code fold}; before that session has started, it detects nothing. */
    public SessionChange(LoadgenFold fold) {
        this.fold = fold;
    }

    /** Whether a frame holds the start of another session. The frame is not counted. Allocates nothing. */
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
