package io.metricsaggregator.proxy;

import java.io.IOException;

/** One side of a connection: bytes in both directions. One thread reads, one writes, any closes. */
interface Pipe {
    /**
     * Reads at least one byte; blocks until there is one.
     *
     * @return the number of bytes; -1 at the end of the stream
     */
    int read(byte[] into) throws IOException;

    /** Whether {@link #read} would not block. */
    boolean hasInput() throws IOException;

    /** Writes all bytes; blocks while the peer does not take them. */
    void write(byte[] bytes, int from, int count) throws IOException;

    /** Ends what this side writes; it can still read. */
    void endOutput() throws IOException;

    /** Closes at once; blocked calls fail. */
    void close();

    /** Closes with a reset, so that the peer does not take the end for a regular one. */
    void reset();
}
