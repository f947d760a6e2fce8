package io.metricsaggregator.web;

import io.metricsaggregator.http.ResponseStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A browser that follows the run. An event that waits is replaced by the next of its kind, so a slow browser misses events, and no more
 * than three are kept for it. Belongs to the thread {@code web}.
 */
final class Viewer {
    private static final byte[] ALIVE = "event: alive\ndata: {}\n\n".getBytes(StandardCharsets.US_ASCII);
    /** Without anything new there is a sign of life this often. */
    private static final long ALIVE_NANOS = 2_000_000_000L;

    private final ResponseStream stream;
    private final int windowSeconds;
    private byte @Nullable [] offeredNow;
    private byte @Nullable [] offeredHistory;
    private long offeredNanos;
    private byte @Nullable [] waitingNow;
    private byte @Nullable [] waitingHistory;
    private long dropped;
    private boolean ending;

    /**
     * A viewer that was offered nothing.
     *
     * @param stream must be writable again only when all was sent
     * @param windowSeconds the window of the figures that the viewer wants
     */
    Viewer(ResponseStream stream, int windowSeconds) {
        this.stream = stream;
        this.windowSeconds = windowSeconds;
        stream.onWritable(this::write);
    }

    int windowSeconds() {
        return windowSeconds;
    }

    /**
     * Sends what is new, the present figures first, as soon as the browser has taken what it was sent; replaces what waits. If nothing is
     * new for long, sends a sign of life.
     */
    @SuppressWarnings("ReferenceEquality") // the same event, not one like it
    void offer(byte @Nullable [] now, byte @Nullable [] history, long nowNanos) {
        boolean quiet = true;
        if (now != null && now != offeredNow) {
            dropped += waitingNow == null ? 0 : 1;
            waitingNow = now;
            offeredNow = now;
            quiet = false;
        }
        if (history != null && history != offeredHistory) {
            dropped += waitingHistory == null ? 0 : 1;
            waitingHistory = history;
            offeredHistory = history;
            quiet = false;
        }
        if (quiet && nowNanos - offeredNanos >= ALIVE_NANOS && isIdle()) {
            waitingNow = ALIVE;
            quiet = false;
        }
        if (!quiet) {
            offeredNanos = nowNanos;
            write();
        }
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
