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
     * Performs all pending I/O; waits for I/O if none is pending.
     *
     * @param timeoutNanos maximum wait; 0 to return at once
     * @return the number of frames handed to handlers
     */
    int poll(long timeoutNanos) throws IOException;

    /** Ends a wait in {@link #poll}, now or the next one. Any thread. */
    void wakeup();

    /** The counters of these sockets; a live object. */
    TransportStats stats();

    /**
     * Flushes the sinks for at most {@code lingerNanos} and closes all sockets. Sources are closed first: no frame is delivered any
     * more.
     */
    void close(long lingerNanos);

    @Override
    default void close() {
        close(0);
    }
}
