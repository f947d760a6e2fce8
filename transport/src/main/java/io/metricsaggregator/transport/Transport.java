package io.metricsaggregator.transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A set of sockets driven by one thread. Nothing happens outside {@link #poll}: connecting, handshakes, receiving and sending
 * all run there. Only {@link #wakeup} may be called by another thread.
 */
public interface Transport extends Closeable {

    /**
     * Opens a subscriber to everything on these endpoints.
     *
     * @throws TransportException if an endpoint cannot be bound or may not be used
     */
    FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException;

    /**
     * Opens a publisher or pusher on these endpoints.
     *
     * @throws TransportException if an endpoint cannot be bound or may not be used
     */
    FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException;

    /**
     * Does all that can be done now, waiting for something to do if there is nothing.
     *
     * @param timeoutNanos how long to wait at most; 0 to look once
     * @return the number of frames handed to handlers
     */
    int poll(long timeoutNanos) throws IOException;

    /** Ends a wait in {@link #poll}, now or the next one. Any thread. */
    void wakeup();

    /** What has happened on these sockets. */
    TransportStats stats();

    /**
     * Sends what is still to be sent, for as long as {@code lingerNanos} at most, and closes everything. Frames received meanwhile
     * are not handed over.
     */
    void close(long lingerNanos);

    @Override
    default void close() {
        close(0);
    }
}
