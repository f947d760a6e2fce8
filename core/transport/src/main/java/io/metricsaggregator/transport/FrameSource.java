package io.metricsaggregator.transport;

import java.util.List;

/** A subscriber's side: frames of all its endpoints go to one handler. */
public interface FrameSource {

    /** The bound and connected endpoints; a port requested as 0 is the real one. */
    List<Endpoint> endpoints();

    /**
     * Whether every frame published from now on will arrive: all bound endpoints listen, and all connected ones have a connection
     * whose subscription reached the peer, as far as the peer's protocol version can confirm that.
     */
    boolean ready();

    /** Connections that have completed their handshake. */
    int peers();
}
