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

/** Frames on their way from those who collect to the thread that folds. Collectors never wait: what finds the queue full is dropped and counted. */
public final class CollectedFrames implements Consumer<Map<String, ?>> {
    private static final int FRAMES_MAX = 1024;

    private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(FRAMES_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final Runnable wake;

    /**
     * A queue.
     *
     * @param wake tells the taker that there is something; called by collectors' threads
     */
    public CollectedFrames(Runnable wake) {
        this.wake = wake;
    }

    /** A record, as the frame a producer would send. */
    public static byte[] frame(Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            return Topic.frame(String.valueOf(fields.get("event_type")), packer.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void accept(Map<String, ?> fields) {
        if (queue.offer(frame(fields))) {
            wake.run();
        } else {
            dropped.incrementAndGet();
        }
    }

    /** The next frame; null if there is none. For one thread. */
    public byte @Nullable [] poll() {
        return queue.poll();
    }

    /** Records that found the queue full. */
    public long dropped() {
        return dropped.get();
    }
}
