package io.metricsaggregator.producer;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Publishes event records in batches. A batch goes out when it is full, when its first record has waited {@link #MAX_DELAY}, and
 * with every session event; a single record goes under its own topic. May be called by any thread; records keep the order of the
 * calls. When subscribers are too slow, {@link #publish} waits; nothing is dropped once somebody has subscribed.
 */
public final class EventPublisher implements Closeable {

    /** Records to a batch. */
    public static final int BATCH_SIZE = 1000;

    /** How long a record waits for others at most. */
    public static final Duration MAX_DELAY = Duration.ofMillis(10);

    private static final long QUEUE_MAX_BYTES = 64L << 20;
    /** When the sending thread asks again after it found somebody publishing. */
    private static final long BUSY_NANOS = 1_000_000L;

    private final FramePublisher frames;
    private final int batchSize;

    /** Held while a full queue is waited for, so the sending thread, which makes room, never waits for it. */
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final EventEncoder encoder = new EventEncoder();
    private final List<byte[]> batch = new ArrayList<>();
    private String firstTopic = "";
    private long firstNanos;

    /** Opens a publisher with the usual batches. */
    public EventPublisher(List<Endpoint> endpoints, TransportOptions options) throws IOException {
        this(endpoints, options, BATCH_SIZE);
    }

    /**
     * Opens a publisher.
     *
     * @param batchSize records to a batch, from 1 (every record by itself)
     */
    public EventPublisher(List<Endpoint> endpoints, TransportOptions options, int batchSize) throws IOException {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batch size " + batchSize + " is below 1");
        }
        this.batchSize = batchSize;
        this.frames = new FramePublisher(endpoints, options, QUEUE_MAX_BYTES);
        frames.batching(this::publishDue);
    }

    /** Where it listens and connects. */
    public List<Endpoint> endpoints() {
        return frames.endpoints();
    }

    /** Waits until so many subscribers are there; answers whether they came in time. */
    public boolean awaitSubscribers(int count, Duration timeout) throws IOException {
        return frames.awaitSubscribers(count, timeout);
    }

    /** Publishes one record. */
    public void publish(EventRecord event) throws IOException {
        lock.lock();
        try {
            add(event);
        } finally {
            lock.unlock();
        }
    }

    private void add(EventRecord event) throws IOException {
        if (batch.isEmpty()) {
            firstTopic = event.type().wireName();
            firstNanos = System.nanoTime();
        }
        batch.add(encoder.encode(event));
        if (batch.size() >= batchSize || event.type().isSession()) {
            send();
        } else if (batch.size() == 1) {
            frames.wake();
        }
    }

    /** Frames that were handed to the sockets, {@link #framesUnheard} among them. */
    public long framesSent() {
        return frames.framesSent();
    }

    /** Frames that were sent while nobody subscribed, and are gone. */
    public long framesUnheard() {
        return frames.framesUnheard();
    }

    private long publishDue() throws IOException {
        if (!lock.tryLock()) {
            return BUSY_NANOS;
        }
        try {
            if (batch.isEmpty()) {
                return Long.MAX_VALUE;
            }
            long left = MAX_DELAY.toNanos() - (System.nanoTime() - firstNanos);
            if (left > 0) {
                return left;
            }
            send();
            return Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    private void send() throws IOException {
        if (!batch.isEmpty()) {
            frames.publish(takeBatch());
        }
    }

    private byte[] takeBatch() {
        byte[] frame = batch.size() == 1
                ? Topic.frame(firstTopic, batch.get(0))
                : Topic.frame(Topic.BATCH, encoder.encodeBatch(batch));
        batch.clear();
        return frame;
    }

    /** Hands over what waits, if that can be done in time. */
    private boolean sendWithin(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            // Somebody who waits for room may have the lock.
            if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while publishing");
        }
        try {
            return batch.isEmpty() || frames.publish(takeBatch(), Duration.ofNanos(deadline - System.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /** Sends what waits, and waits until it is with the operating system; false if that takes longer. */
    public boolean flush(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        return sendWithin(timeout) && frames.flush(Duration.ofNanos(deadline - System.nanoTime()));
    }

    /** Sends what waits, for five seconds at most, and closes. */
    @Override
    public void close() throws IOException {
        close(Duration.ofSeconds(5));
    }

    /** Sends what waits, for as long as {@code linger} at most, and closes. What is left is gone. */
    public void close(Duration linger) throws IOException {
        if (frames.isClosed()) {
            return;
        }
        long deadline = System.nanoTime() + linger.toNanos();
        sendWithin(linger);
        frames.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
}
