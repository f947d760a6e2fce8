package io.metricsaggregator.transport;

import java.nio.ByteBuffer;

/** Takes frames where they were received. Called on the thread that polls. */
public interface FrameHandler {

    /**
     * One frame.
     *
     * @param buffer big-endian; holds the frame; position and limit mean nothing and must not be moved
     * @param start where it starts
     * @param length its length in bytes
     */
    void onFrame(ByteBuffer buffer, int start, int length);

    /** All frames of one read have been handed over; the buffer they are in is reused after this. */
    default void onBurstEnd() {}
}
