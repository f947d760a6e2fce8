package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The send queue of one peer: the frame being sent, then either the latest frame or a bounded queue, then the final frame. Frames
 * are shared between peers and copied only into the staging buffer of a write.
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

    /** Queues frames up to a bound; a frame larger than the bound is accepted by an empty queue. */
    static Outbox queued(long maxBytes) {
        return new Outbox(false, maxBytes);
    }

    boolean hasRoomFor(byte[] frame) {
        return latestOnly || queuedBytes == 0 || queuedBytes + frame.length <= maxBytes;
    }

    /**
     * Adds a frame.
     *
     * @return whether it replaced an earlier one
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

    /** Sets the final frame, sent after all others. */
    void putLast(byte[] frame) {
        last = frame;
    }

    boolean isEmpty() {
        return current == null && latest == null && last == null && queue.isEmpty();
    }

    /** Copies as many bytes as fit into {@code staging}. */
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

    /** Starts the next frame by staging its header; null if there is none or its header does not fit. */
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
