package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent to one peer: a frame under way, then either the latest one or a bounded queue, then the last one. Frames
 * are shared between peers and never copied until they are staged for a write.
 */
final class Outbox {
    private final boolean latestOnly;
    private final long maxBytes;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
    private long queuedBytes;
    private byte @Nullable [] latest;
    private byte @Nullable [] last;
    private byte @Nullable [] current;
    private int sentOfCurrent;

    private Outbox(boolean latestOnly, long maxBytes) {
        this.latestOnly = latestOnly;
        this.maxBytes = maxBytes;
    }

    /** Keeps the latest frame only. */
    static Outbox ofLatest() {
        return new Outbox(true, 0);
    }

    /** Queues frames up to a bound; a frame larger than the bound is taken when nothing else waits. */
    static Outbox queued(long maxBytes) {
        return new Outbox(false, maxBytes);
    }

    boolean hasRoomFor(byte[] frame) {
        return latestOnly || queuedBytes == 0 || queuedBytes + frame.length <= maxBytes;
    }

    /**
     * Takes a frame.
     *
     * @return whether it pushed out an earlier one
     */
    boolean put(byte[] frame) {
        if (latestOnly) {
            boolean replaced = latest != null;
            latest = frame;
            return replaced;
        }
        queue.add(frame);
        queuedBytes += frame.length;
        return false;
    }

    /** Takes the last frame. */
    void putLast(byte[] frame) {
        last = frame;
    }

    boolean isEmpty() {
        return current == null && latest == null && last == null && queue.isEmpty();
    }

    /** Moves bytes to be sent into {@code staging}, as many as fit. */
    void stage(ByteBuffer staging) {
        while (true) {
            byte[] frame = current;
            if (frame == null) {
                frame = next(staging);
                if (frame == null) {
                    return;
                }
            }
            int size = Math.min(staging.remaining(), frame.length - sentOfCurrent);
            staging.put(frame, sentOfCurrent, size);
            sentOfCurrent += size;
            if (sentOfCurrent < frame.length) {
                return;
            }
            current = null;
        }
    }

    /** Starts the next frame by staging its header; null if there is none, or no room for its header. */
    private byte @Nullable [] next(ByteBuffer staging) {
        byte[] frame = latestOnly ? latest : queue.peek();
        boolean isLast = frame == null;
        if (isLast) {
            frame = last;
        }
        if (frame == null || staging.remaining() < ZmtpFrames.headerLength(frame.length)) {
            return null;
        }
        if (isLast) {
            last = null;
        } else if (latestOnly) {
            latest = null;
        } else {
            queue.poll();
            queuedBytes -= frame.length;
        }
        ZmtpFrames.putHeader(staging, 0, frame.length);
        current = frame;
        sentOfCurrent = 0;
        return frame;
    }
}
