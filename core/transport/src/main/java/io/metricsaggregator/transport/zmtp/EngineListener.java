package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;

/** Receives the events of a connection's protocol engine, on the thread that polls. */
interface EngineListener {

    /** The handshake is complete. */
    void onReady();

    /** A message frame arrived; each part of a multipart message is a frame of its own. */
    void onMessage(ByteBuffer buffer, int start, int length);

    /** The peer subscribed to messages with this prefix. */
    void onSubscribe(byte[] prefix);

    /** The peer cancelled one subscription to this prefix. */
    void onCancel(byte[] prefix);

    /** The peer answered a PING and so has processed everything sent before it. */
    void onPong();
}
