package io.metricsaggregator.transport;

import java.nio.ByteBuffer;
import java.util.List;

/** Receives frames in the receive buffer, without a copy. Called on the thread that polls. */
public interface FrameHandler {

    /**
     * Handles one frame.
     *
     * @param buffer big-endian; holds the frame; its position and limit are meaningless and must not be changed
     * @param start index of the frame's first byte
     * @param length its length in bytes
     */
    void onFrame(ByteBuffer buffer, int start, int length);

    /**
     * Topics that a source subscribes to beside everything. A publisher sees from them which forms of frames, that not every subscriber reads, its peer
     * does read.
     */
    default List<String> announced() {
        return List.of();
    }

    /** Returns a handler that announces topics and passes every frame on. */
    static FrameHandler announcing(List<String> topics, FrameHandler handler) {
        return new FrameHandler() {
            @Override
            public void onFrame(ByteBuffer buffer, int start, int length) {
                handler.onFrame(buffer, start, length);
            }

            @Override
            public List<String> announced() {
                return topics;
            }

            @Override
            public void onBurstEnd() {
                handler.onBurstEnd();
            }
        };
    }

    /** Called after the last frame of one read; the buffer is reused afterwards. */
    default void onBurstEnd() {}
}
