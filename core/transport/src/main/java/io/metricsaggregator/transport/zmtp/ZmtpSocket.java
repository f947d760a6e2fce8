package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;

/** The endpoints and connections of one source or sink. Used by the thread that polls. */
abstract class ZmtpSocket implements ZmtpConnection.Owner {
    final List<Listener> listeners = new ArrayList<>();
    final List<Connector> connectors = new ArrayList<>();
    final List<ZmtpConnection> connections = new ArrayList<>();
    private final SocketType type;

    ZmtpSocket(SocketType type) {
        this.type = type;
    }

    @Override
    public final SocketType type() {
        return type;
    }

    @Override
    public final List<ZmtpConnection> connections() {
        return connections;
    }

    /** The bound and the connected endpoints; a port requested as 0 is the real one. */
    public final List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        listeners.forEach(listener -> endpoints.add(listener.endpoint()));
        connectors.forEach(connector -> endpoints.add(connector.endpoint()));
        return endpoints;
    }

    /** Whether waiting could still bring a frame to a peer. */
    abstract boolean hasPending(long nowNanos);

    /** Starts to write what was offered since the last poll. */
    abstract void flushOffered();

    /** Closes endpoints and connections; unsent frames are lost. */
    final void close() {
        listeners.forEach(Listener::close);
        connectors.forEach(Connector::close);
        List.copyOf(connections).forEach(ZmtpConnection::close);
    }
}
