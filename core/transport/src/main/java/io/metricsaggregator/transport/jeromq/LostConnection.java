package io.metricsaggregator.transport.jeromq;

import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Revives connections that JeroMQ 0.6.0 lost. After a connect, its poller ({@code zmq.poll.Poller.run}) can cancel the channel's
 * registration for the connecter in the same pass in which the stream engine registers: no handler remains, the peer receives
 * nothing, and both sides wait forever. This affects about one connection in a hundred on a busy machine. The poller rebuilds its
 * registrations whenever one of them changes and then finds the channel. So a second socket that connects to an unused port revives
 * the lost one.
 */
public final class LostConnection {
    private static final long FIRST_NANOS = 100_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private final ZContext context;
    private long pauseNanos = FIRST_NANOS;
    private long nextNanos;
    private boolean waiting;

    /** Revives connections of {@code context}. */
    public LostConnection(ZContext context) {
        this.context = context;
    }

    /**
     * Revives lost connections periodically while connections are being made.
     *
     * @param anyoneWaits whether a connection is being made
     */
    void lookAfter(boolean anyoneWaits, long nowNanos) {
        if (!anyoneWaits) {
            waiting = false;
        } else if (!waiting) {
            waiting = true;
            pauseNanos = FIRST_NANOS;
            nextNanos = nowNanos + pauseNanos;
        } else if (nowNanos - nextNanos >= 0) {
            wake();
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_NANOS);
            nextNanos = nowNanos + pauseNanos;
        }
    }

    /** Makes the poller rebuild its registrations. */
    public void wake() {
        ZMQ.Socket other = context.createSocket(SocketType.PAIR);
        other.setLinger(0);
        other.connect("tcp://127.0.0.1:1");
        other.close();
    }
}
