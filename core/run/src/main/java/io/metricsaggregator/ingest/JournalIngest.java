package io.metricsaggregator.ingest;

import java.nio.ByteBuffer;

/**
 * Applies the frames of a journal with the times at which an earlier process received them. Journals nothing and measures no lag.
 * Belongs to the thread of the main flow, before that thread receives anything.
 */
public final class JournalIngest {
    private final FrameApplier frames;
    private long receivedNanos;

    /** An ingest that applies frames through {@code frames}, of which the run's {@link Ingest} takes over afterwards. */
    public JournalIngest(FrameApplier frames) {
        this.frames = frames;
    }

    /**
     * Begins a burst.
     *
     * @param nanos monotonic time of its receipt, on the clock of the process that received it
     */
    public void burst(long nanos) {
        receivedNanos = nanos;
        frames.telemetry().tick(nanos);
    }

    /** Applies all records of a frame; the buffer can be reused afterwards. */
    public void frame(ByteBuffer buffer, int start, int length) {
        frames.decode(buffer, start, length, receivedNanos);
        frames.apply();
    }

    /**
     * Records that the daemon was down between the previous burst and the next one.
     *
     * @param fromWallNanos when it last received something, in nanoseconds since 1970 UTC
     * @param toWallNanos when it was ready to receive again
     */
    public void outage(long fromWallNanos, long toWallNanos) {
        frames.outage(fromWallNanos, toWallNanos, receivedNanos);
    }
}
