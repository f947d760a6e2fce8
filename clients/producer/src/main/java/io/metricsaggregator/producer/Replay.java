package io.metricsaggregator.producer;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes recorded frames unchanged and in order: at full speed, or with pauses from the timestamps of their first records.
 */
public final class Replay {
    /** Longest pause: a larger step between timestamps is taken for a foreign clock and ignored. */
    private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    private final EventDecoder decoder = new EventDecoder();
    private final BatchReader batch = new BatchReader();
    private final DecodedEvent event = new DecodedEvent();

    private boolean started;
    private long recordedNanos;
    private long dueNanos;

    /**
     * The result of a replay.
     *
     * @param frames number of frames published
     * @param bytes their total size
     */
    public record Published(long frames, long bytes) {}

    /**
     * Publishes all frames of a file.
     *
     * @param speed 0 for as fast as possible; 1 as recorded, 2 twice as fast
     */
    public Published run(RecordedFrames frames, FramePublisher publisher, double speed) throws IOException {
        long count = 0;
        long bytes = 0;
        for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
            if (speed > 0) {
                pause(frame, speed);
            }
            publisher.publish(frame);
            count++;
            bytes += frame.length;
        }
        return new Published(count, bytes);
    }

    private void pause(byte[] frame, double speed) {
        if (!readFirst(ByteBuffer.wrap(frame))) {
            return;
        }
        long now = System.nanoTime();
        long step = event.timestampNanos() - recordedNanos;
        if (!started || step > LONGEST_PAUSE_NANOS) {
            started = true;
            dueNanos = now;
            recordedNanos = event.timestampNanos();
            return;
        }
        if (step > 0) {
            dueNanos += (long) (step / speed);
            recordedNanos = event.timestampNanos();
        }
        for (long left = dueNanos - now; left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Decodes the first record with a timestamp in a frame. */
    private boolean readFirst(ByteBuffer frame) {
        int size = frame.capacity() - Topic.LENGTH;
        if (size <= 0) {
            return false;
        }
        if (!Topic.isBatch(frame, 0)) {
            return decoder.decode(frame, Topic.LENGTH, size, event) == null && event.hasTimestamp();
        }
        if (batch.open(frame, Topic.LENGTH, size) < 0) {
            return false;
        }
        while (batch.next()) {
            if (batch.length() > 0
                    && decoder.decode(frame, batch.start(), batch.length(), event) == null
                    && event.hasTimestamp()) {
                return true;
            }
        }
        return false;
    }
}
