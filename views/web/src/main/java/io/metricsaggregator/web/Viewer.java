package io.metricsaggregator.web;

import io.metricsaggregator.http.ResponseStream;
import org.jspecify.annotations.Nullable;

/**
 * A browser that follows the run. An event that waits is replaced by the next of its kind, so a slow browser misses events, and no more
 * than three are kept for it. Belongs to the thread {@code web}.
 */
final class Viewer {
    private final ResponseStream stream;
    private byte @Nullable [] waitingNow;
    private byte @Nullable [] waitingHistory;
    private long dropped;
    private boolean ending;

    /** A viewer of a stream, which must be writable again only when all was sent. */
    Viewer(ResponseStream stream) {
        this.stream = stream;
        stream.onWritable(this::write);
    }

    /** Sends the present figures as soon as the browser has taken what it was sent; replaces those that wait. */
    void offerNow(byte[] event) {
        dropped += waitingNow == null ? 0 : 1;
        waitingNow = event;
        write();
    }

    /** Sends the history as soon as the browser has taken what it was sent; replaces the one that waits. */
    void offerHistory(byte[] event) {
        dropped += waitingHistory == null ? 0 : 1;
        waitingHistory = event;
        write();
    }

    /** Whether nothing waits and nothing is being sent. */
    boolean isIdle() {
        return stream.isWritable() && waitingNow == null && waitingHistory == null;
    }

    /** The number of events replaced since the last call. */
    long takeDropped() {
        long taken = dropped;
        dropped = 0;
        return taken;
    }

    /** Ends the stream when all was sent. */
    void end() {
        ending = true;
        write();
    }

    private void write() {
        while (stream.isWritable()) {
            byte[] event = waitingNow != null ? waitingNow : waitingHistory;
            if (event == null) {
                if (ending) {
                    ending = false;
                    stream.end();
                }
                return;
            }
            if (waitingNow != null) {
                waitingNow = null;
            } else {
                waitingHistory = null;
            }
            stream.send(event);
        }
    }
}
