package io.metricsaggregator.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A browser's connection: it receives one request, then sends an answer or a stream of events. An event that waits is replaced by the next
 * of its kind, so a slow browser misses events and holds two of them at most. Belongs to the thread {@code web}.
 */
final class Connection {
    static final int REQUEST_MAX_BYTES = 8192;
    private static final long SECOND = 1_000_000_000L;
    private static final long REQUEST_NANOS = 5 * SECOND;
    private static final long RESPONSE_NANOS = 10 * SECOND;
    /** A viewer that takes nothing for as long is disconnected. */
    private static final long STALL_NANOS = 30 * SECOND;

    private enum Phase {
        REQUEST,
        RESPONSE,
        EVENTS
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final byte[] input = new byte[REQUEST_MAX_BYTES];
    private int inputLength;
    private Phase phase = Phase.REQUEST;
    private @Nullable ByteBuffer sending;
    private byte @Nullable [] waitingNow;
    private byte @Nullable [] waitingHistory;
    private long progressNanos;
    private long dropped;

    Connection(SocketChannel channel, SelectionKey key, long nowNanos) {
        this.channel = channel;
        this.key = key;
        this.progressNanos = nowNanos;
    }

    /**
     * Reads what has arrived.
     *
     * @return the number of bytes of a complete request head; 0 if it is not complete; −1 if the peer has closed; −2 if it is too long
     */
    int read() throws IOException {
        if (phase != Phase.REQUEST) {
            // Nothing follows a request: what arrives is discarded, and the end of the stream is the end of the viewer.
            return channel.read(ByteBuffer.wrap(input)) < 0 ? -1 : 0;
        }
        int read = channel.read(ByteBuffer.wrap(input, inputLength, input.length - inputLength));
        if (read < 0) {
            return -1;
        }
        int from = Math.max(0, inputLength - 3);
        inputLength += read;
        for (int i = from; i + 3 < inputLength; i++) {
            if (input[i] == '\r' && input[i + 1] == '\n' && input[i + 2] == '\r' && input[i + 3] == '\n') {
                return i + 2;
            }
        }
        return inputLength == input.length ? -2 : 0;
    }

    byte[] input() {
        return input;
    }

    /** Sends an answer, after which the connection is closed. */
    void answer(byte[] bytes, long nowNanos) {
        phase = Phase.RESPONSE;
        sending = ByteBuffer.wrap(bytes);
        progressNanos = nowNanos;
    }

    /** Starts the stream of events. */
    void stream(byte[] head, long nowNanos) {
        phase = Phase.EVENTS;
        sending = ByteBuffer.wrap(head);
        progressNanos = nowNanos;
    }

    boolean isViewer() {
        return phase == Phase.EVENTS;
    }

    /** Offers the present figures; replaces those that wait. */
    void offerNow(byte[] event) {
        dropped += waitingNow == null ? 0 : 1;
        waitingNow = event;
    }

    /** Offers the history; replaces the one that waits. */
    void offerHistory(byte[] event) {
        dropped += waitingHistory == null ? 0 : 1;
        waitingHistory = event;
    }

    /** Whether nothing waits and nothing is being sent. */
    boolean isIdle() {
        return sending == null && waitingNow == null && waitingHistory == null;
    }

    /** The number of events replaced since the last call. */
    long takeDropped() {
        long taken = dropped;
        dropped = 0;
        return taken;
    }

    /**
     * Writes as much as the socket takes.
     *
     * @return false if an answer is complete, and the connection is to be closed
     */
    boolean write(long nowNanos) throws IOException {
        while (true) {
            if (sending == null) {
                sending = next();
                if (sending == null) {
                    key.interestOps(SelectionKey.OP_READ);
                    return phase != Phase.RESPONSE;
                }
                progressNanos = nowNanos;
            }
            // The time for an answer does not start again with each byte that a slow peer takes.
            if (channel.write(sending) > 0 && phase == Phase.EVENTS) {
                progressNanos = nowNanos;
            }
            if (sending.hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return true;
            }
            sending = null;
        }
    }

    private @Nullable ByteBuffer next() {
        byte[] event = waitingNow != null ? waitingNow : waitingHistory;
        if (waitingNow != null) {
            waitingNow = null;
        } else {
            waitingHistory = null;
        }
        return event == null ? null : ByteBuffer.wrap(event);
    }

    /** Whether the peer takes too long with its request, with an answer, or with an event. */
    boolean isOverdue(long nowNanos) {
        long quiet = nowNanos - progressNanos;
        return switch (phase) {
            case REQUEST -> quiet > REQUEST_NANOS;
            case RESPONSE -> quiet > RESPONSE_NANOS;
            case EVENTS -> sending != null && quiet > STALL_NANOS;
        };
    }

    /** Closes the connection; does not fail. */
    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // The connection is gone either way.
            return;
        }
    }
}
