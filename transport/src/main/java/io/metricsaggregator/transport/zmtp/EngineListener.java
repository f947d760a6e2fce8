package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;

/** What a connection's protocol engine has found in the bytes it was given. */
interface EngineListener {

    /** The handshake is done. */
    void onReady();

    /** A message frame; parts of a message are frames like any other. */
    void onMessage(ByteBuffer buffer, int start, int length);

    /** The peer wants messages that start with this prefix. */
    void onSubscribe(byte[] prefix);

    /** The peer takes one such subscription back. */
    void onCancel(byte[] prefix);

    /** The peer has answered a PING, and so has seen all that was sent before it. */
    void onPong();
}
