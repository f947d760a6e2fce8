package io.metricsaggregator.simulation.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The other end of a connection. */
public interface Peer {

    /** Puts bytes that it has sent and the process has not read; returns their number, 0 for none now, −1 at the end of its stream. */
    int send(ByteBuffer into);

    /** Whether {@link #send} would not return 0. */
    boolean hasSent();

    /**
     * Takes bytes that the process writes, as many as its socket holds.
     *
     * @return their number, perhaps 0
     * @throws IOException if it has closed the connection
     */
    int receive(ByteBuffer from) throws IOException;

    /** Whether {@link #receive} would take a byte, or fail. */
    boolean canReceive();

    /** The process has ended its stream, or closed the connection. */
    void ended();
}
