package io.metricsaggregator.ingest;

import io.metricsaggregator.journal.JournalWriter;
import java.nio.ByteBuffer;

/** Keeps received frames before they are decoded, so that a later process can apply them again. Called by the thread that receives. */
public interface FrameLog {
    /** Keeps nothing: a run without a journal. */
    FrameLog NONE = new FrameLog() {
        @Override
        public void frame(ByteBuffer buffer, int start, int length, long receivedNanos) {}

        @Override
        public void endBurst(long receivedNanos) {}
    };

    /** Returns a log that appends to a journal. */
    static FrameLog to(JournalWriter writer) {
        return new FrameLog() {
            @Override
            public void frame(ByteBuffer buffer, int start, int length, long receivedNanos) {
                writer.frame(buffer, start, length, receivedNanos);
            }

            @Override
            public void endBurst(long receivedNanos) {
                writer.endBurst(receivedNanos);
            }
        };
    }

    /**
     * Keeps a copy of a frame.
     *
     * @param receivedNanos monotonic time at which its burst was received
     */
    void frame(ByteBuffer buffer, int start, int length, long receivedNanos);

    /** Ends a burst, before any of its records shows in a snapshot. */
    void endBurst(long receivedNanos);
}
