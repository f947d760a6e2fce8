package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The resources that the sockets of one transport share: selector, options, counts, receive budget, staging buffers and log. It
 * refers to no socket and no connection. Used by the thread that polls.
 */
final class ZmtpContext {
    private static final long DISCARDED_MAX_BYTES = 256L << 20;
    private static final int STAGING_BYTES = 64 * 1024;
    private static final int STAGING_KEPT = 4;

    final Logger log;
    final TransportOptions options;
    final TransportStats stats = new TransportStats();
    final Selector selector;

    /** Frames handed to handlers since the transport set it to 0. */
    int framesThisPoll;

    /** Whether a peer may be in a handshake or behind with reading, so that its time has to be checked. */
    boolean watchingPeers;

    private long receiveBytesHeld;
    private long bytesDiscarded;
    private final ArrayDeque<ByteBuffer> freeStaging = new ArrayDeque<>();
    private final Set<String> logged = new HashSet<>();
    private @Nullable PeerUser peerUser;

    ZmtpContext(TransportOptions options, Logger log) throws IOException {
        this.log = log;
        this.options = options;
        this.selector = Selector.open();
    }

    /** The monotonic clock of every deadline here, in nanoseconds. */
    static long nowNanos() {
        return System.nanoTime();
    }

    /** Bytes of all receive buffers. */
    long receiveBytesHeld() {
        return receiveBytesHeld;
    }

    /** Adds {@code bytes}, negative to give back, to the receive buffers; the budget is not checked. */
    void holdReceiveBytes(long bytes) {
        receiveBytesHeld += bytes;
    }

    /** Whether {@code bytes} more of receive buffers stay within the budget of all connections. */
    boolean mayHoldReceiveBytes(long bytes) {
        return receiveBytesHeld + bytes <= options.receiveBudgetBytes();
    }

    /**
     * Notes that {@code bytes} of direct memory became garbage. The JVM frees them when it collects their buffers, which on a heap
     * with little traffic may be never: a collection is requested after every 256 MiB.
     */
    void discarded(long bytes) {
        bytesDiscarded += bytes;
        if (bytesDiscarded > DISCARDED_MAX_BYTES) {
            bytesDiscarded = 0;
            System.gc();
        }
    }

    /** An empty direct buffer of 64 KiB; give it back with {@link #giveStaging}. */
    ByteBuffer takeStaging() {
        ByteBuffer buffer = freeStaging.poll();
        return buffer == null ? ByteBuffer.allocateDirect(STAGING_BYTES) : buffer;
    }

    void giveStaging(ByteBuffer buffer) {
        if (freeStaging.size() < STAGING_KEPT) {
            buffer.clear();
            freeStaging.push(buffer);
        }
    }

    /** The users whose processes may be peers on ipc; looked up on first use. */
    PeerUser peerUser() throws IOException {
        if (peerUser == null) {
            peerUser = new PeerUser(options.allowedUids());
        }
        return peerUser;
    }

    /** Logs the first connection closed for {@code error}; the rest are only counted. */
    void logOnce(ProtocolError error, String peer, String detail) {
        if (logged.add(error.name())) {
            log.warn(
                    "connection closed peer={}: {}{}", peer, error.text(), detail.isEmpty() ? "" : " (" + detail + ")");
        }
    }

    /** Logs an event the first time it occurs. */
    void logOnce(String event) {
        if (logged.add(event)) {
            log.warn("{}", event);
        }
    }

    /** Logs an event the first time it occurs, followed by its facts, such as {@code endpoint=tcp://127.0.0.1:5600}. */
    void logOnce(String event, String facts) {
        if (logged.add(event)) {
            log.warn("{} {}", event, facts);
        }
    }

    /** Records and logs that other users or hosts can reach an endpoint because an option allows it. */
    void expose(String what) {
        stats.exposures.add(what);
        log.warn("{}", what);
    }
}
