package io.metricsaggregator.transport;

import java.util.List;

/** A subscriber's side: frames of all its endpoints go to one handler. */
public interface FrameSource {

    /** Where it listens or connects; a port that was asked for as 0 is the real one. */
    List<Endpoint> endpoints();

    /**
     * Whether nothing that is published from now on can be missed: every bound endpoint listens, and every connected one has
     * been connected and its subscription has reached the peer (as far as the peer's protocol version can tell).
     */
    boolean ready();

    /** Connections that have completed their handshake. */
    int peers();
}
