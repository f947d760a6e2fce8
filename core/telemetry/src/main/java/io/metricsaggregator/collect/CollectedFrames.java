package io.metricsaggregator.collect;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * A bounded queue of frames from the collector threads to the thread that applies events. Collectors never block: a record that finds
 * {@value #FRAMES_MAX} frames or the bytes of {@value #LARGEST_MAX} of the largest records in the queue is dropped and counted.
 */
public final class CollectedFrames implements Consumer<Map<String, ?>> {
    private static final int FRAMES_MAX = 1024;
    private static final int LARGEST_MAX = 8;

    private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(FRAMES_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final int recordMaxBytes;
    private final Runnable wake;

    /** A record that the receiver would reject unread. */
    static final class RecordTooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        final long bytes;
        final long maxBytes;

        RecordTooLargeException(Object source, long bytes, long maxBytes) {
            super("a record of " + source + " takes " + bytes + " bytes, more than the limit of " + maxBytes
                    + " for this heap; raise it with -Xmx");
            this.bytes = bytes;
            this.maxBytes = maxBytes;
        }
    }

    /**
     * An empty queue.
     *
     * @param recordMaxBytes largest record that the receiver takes
     * @param wake wakes the thread that polls; collector threads call it after each frame
     */
    public CollectedFrames(int recordMaxBytes, Runnable wake) {
        this.recordMaxBytes = recordMaxBytes;
        this.wake = wake;
    }

    /**
     * Encodes a record as the frame that a producer would send.
     *
     * @param fields of the record; {@code event_type} becomes the topic
     */
    public static byte[] frame(Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            return Topic.frame(String.valueOf(fields.get("event_type")), packer.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Queues a record, or drops and counts it if the queue is full. Any thread.
     *
     * @throws RecordTooLargeException if the receiver would reject it
     */
    @Override
    public void accept(Map<String, ?> fields) {
        byte[] frame = frame(fields);
        int size = frame.length - Topic.LENGTH;
        if (size > recordMaxBytes) {
            throw new RecordTooLargeException(String.valueOf(fields.get("source_id")), size, recordMaxBytes);
        }
        boolean room = bytes.addAndGet(frame.length) <= (long) LARGEST_MAX * recordMaxBytes;
        if (room && queue.offer(frame)) {
            wake.run();
        } else {
            bytes.addAndGet(-frame.length);
            dropped.incrementAndGet();
        }
    }

    /** Removes and returns the oldest frame; null if the queue is empty. For one thread. */
    public byte @Nullable [] poll() {
        byte[] frame = queue.poll();
        bytes.addAndGet(frame == null ? 0 : -frame.length);
        return frame;
    }

    /** Number of records dropped because the queue was full. Any thread. */
    public long dropped() {
        return dropped.get();
    }
}
