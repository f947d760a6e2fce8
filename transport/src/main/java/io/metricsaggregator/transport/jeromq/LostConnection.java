package io.metricsaggregator.transport.jeromq;

import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Wakes connections that JeroMQ 0.6.0 forgot. When a connection has been made, its poller ({@code zmq.poll.Poller.run}) can cancel
 * the channel's registration for the one who connected in the same pass in which the one who is to talk registers: then nobody is
 * registered, the peer hears nothing, and both wait for ever. It happens to a connection in some hundred on a busy machine. The poller
 * looks through its registrations again whenever one of them changes, and then finds the channel: so another socket that tries to
 * connect, to a port where nobody is, brings the lost one back.
 */
public final class LostConnection {
    private static final long FIRST_NANOS = 100_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private final ZContext context;
    private long pauseNanos = FIRST_NANOS;
    private long nextNanos;
    private boolean waiting;

    /** Looks after the connections of a context's sockets. */
    public LostConnection(ZContext context) {
        this.context = context;
    }

    /**
     * Looks after connections that are being made.
     *
     * @param anyoneWaits whether one is
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

    /** Brings connections back that have been forgotten. */
    public void wake() {
        ZMQ.Socket other = context.createSocket(SocketType.PAIR);
        other.setLinger(0);
        other.connect("tcp://127.0.0.1:1");
        other.close();
    }
}
