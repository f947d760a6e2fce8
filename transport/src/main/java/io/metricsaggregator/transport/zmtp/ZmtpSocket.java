package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the connections of one source or sink have in common. */
abstract class ZmtpSocket {
    final SocketType type;
    final List<ZmtpConnection> connections = new ArrayList<>();
    final List<Listener> listeners = new ArrayList<>();
    final List<Connector> connectors = new ArrayList<>();

    ZmtpSocket(SocketType type) {
        this.type = type;
    }

    /** Where it listens and connects. */
    public final List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        listeners.forEach(listener -> endpoints.add(listener.endpoint()));
        connectors.forEach(connector -> endpoints.add(connector.endpoint()));
        return endpoints;
    }

    /** A place for what waits to be sent to a new peer; null for a socket that sends nothing. */
    abstract @Nullable Outbox newOutbox();

    /** First size of a connection's receive buffer. */
    abstract int initialReceiveBytes();

    /** What that buffer may grow to when reads fill it, if {@code wanted} is what a receiver wants. */
    abstract int receiveTargetBytes(int wanted);

    abstract void onPeerReady(ZmtpConnection connection);

    abstract void onPeerSubscribed(ZmtpConnection connection, byte[] prefix);

    abstract void onMessage(ByteBuffer buffer, int start, int length);

    abstract void onBurstEnd();

    abstract void onPeerGone(ZmtpConnection connection);

    /** Whether something could still reach a peer if one waited. */
    abstract boolean hasPending(long nowNanos);

    /** Starts sending what was offered since the last poll. */
    abstract void flushOffered();
}
