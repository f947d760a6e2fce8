package io.metricsaggregator.collect;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.Topic;
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
 * {@value #FRAMES_MAX} frames in the queue is dropped and counted.
 */
public final class CollectedFrames implements Consumer<Map<String, ?>> {
    private static final int FRAMES_MAX = 1024;

    private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(FRAMES_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final Runnable wake;

    /**
     * An empty queue.
     *
     * @param wake wakes the thread that polls; collector threads call it after each frame
     */
    public CollectedFrames(Runnable wake) {
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

    /** Queues a record, or drops and counts it if the queue is full. Any thread. */
    @Override
    public void accept(Map<String, ?> fields) {
        if (queue.offer(frame(fields))) {
            wake.run();
        } else {
            dropped.incrementAndGet();
        }
    }

    /** Removes and returns the oldest frame; null if the queue is empty. For one thread. */
    public byte @Nullable [] poll() {
        return queue.poll();
    }

    /** Number of records dropped because the queue was full. Any thread. */
    public long dropped() {
        return dropped.get();
    }
}
