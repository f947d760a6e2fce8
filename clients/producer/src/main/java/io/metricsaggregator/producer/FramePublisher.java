package io.metricsaggregator.producer;

import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes frames from any thread through a bounded queue to the thread that owns the sockets; {@link #publish} blocks while it is
 * full. As with every ZeroMQ publisher, frames sent without a subscriber are lost.
 */
public final class FramePublisher implements Closeable {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long IDLE_NANOS = 50 * NANOS_PER_MILLI;

    private final Transport transport;
    private final FrameSink sink;
    private final Thread thread;
    private final long queueMaxBytes;
    private final AtomicLong framesSent = new AtomicLong();
    private final AtomicLong framesUnheard = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean sending;
    private boolean closing;
    private int subscribers;
    private @Nullable Batching batching;
    private @Nullable IOException failure;

    private volatile boolean allReadChunks;
    private volatile long lingerNanos;

    /** Collects records into frames and publishes them when they are due. */
    interface Batching {
        /** Publishes due frames; returns the time until the next call in nanoseconds. */
        long publishDue() throws IOException;
    }

    /**
     * Opens a publisher.
     *
     * @param endpoints where it binds or connects
     * @param queueMaxBytes size of the queue in bytes; an empty queue accepts a larger frame
     */
    public FramePublisher(List<Endpoint> endpoints, TransportOptions options, long queueMaxBytes) throws IOException {
        this.queueMaxBytes = queueMaxBytes;
        this.transport = Transports.open(options);
        try {
            this.sink = transport.openSink(endpoints, FrameSink.Kind.PUBLISH_QUEUED);
        } catch (IOException e) {
            transport.close();
            throw e;
        }
        this.thread = new Thread(this::run, "publisher");
        thread.setDaemon(true);
        thread.start();
    }

    /** The bound and connected endpoints; a port requested as 0 is the real one. */
    public List<Endpoint> endpoints() {
        return sink.endpoints();
    }

    /** Sets the collector that the sending thread calls; once, before the first frame. */
    void batching(Batching source) {
        lock.lock();
        try {
            batching = source;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the sending thread call the collector now. */
    void wake() {
        transport.wakeup();
    }

    /** Number of frames handed to the sockets, including {@link #framesUnheard}. */
    public long framesSent() {
        return framesSent.get();
    }

    /** Number of frames sent without a subscriber, and so lost. */
    public long framesUnheard() {
        return framesUnheard.get();
    }

    /**
     * Queues a frame; blocks while the queue is full.
     *
     * @param frame must not be modified afterwards
     * @throws IOException if the sockets failed or the publisher is closed
     */
    public void publish(byte[] frame) throws IOException {
        publish(frame, FOR_EVER);
    }

    /** Queues a frame like {@link #publish(byte[])}; false if the queue was full until the timeout. */
    boolean publish(byte[] frame, Duration timeout) throws IOException {
        lock.lock();
        try {
            // The sending thread must not block on the queue that it empties.
            if (Thread.currentThread() != thread && !await(timeout, () -> !isFullFor(frame))) {
                return false;
            }
            throwIfFailed();
            if (closing) {
                throw new IOException("the publisher is closed");
            }
            queue.add(frame);
            queuedBytes += frame.length;
            if (sending) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        transport.wakeup();
        return true;
    }

    private boolean isFullFor(byte[] frame) {
        return !closing && failure == null && queuedBytes > 0 && queuedBytes + frame.length > queueMaxBytes;
    }

    private void throwIfFailed() throws IOException {
        if (failure != null) {
            throw new IOException("the publisher's sockets failed: " + failure.getMessage(), failure);
        }
    }

    /** Waits for a condition with the lock held; false on timeout. */
    private boolean await(Duration timeout, BooleanSupplier condition) throws InterruptedIOException {
        long left = timeout.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while publishing");
        }
    }

    /**
     * Waits for a number of subscribers.
     *
     * @return whether they connected in time
     */
    public boolean awaitSubscribers(int count, Duration timeout) throws IOException {
        lock.lock();
        try {
            boolean there = await(timeout, () -> subscribers >= count || failure != null);
            throwIfFailed();
            return there;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the operating system has all published frames; false on timeout. */
    public boolean flush(Duration timeout) throws IOException {
        lock.lock();
        try {
            boolean done = await(timeout, () -> (queue.isEmpty() && !sending) || failure != null);
            throwIfFailed();
            return done;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closing;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        byte[] refused = null;
        try {
            while (!isDone(refused)) {
                long due = batching == null || isClosed() ? IDLE_NANOS : batching.publishDue();
                refused = send(refused);
                transport.poll(refused == null && isIdle() ? Math.min(due, IDLE_NANOS) : NANOS_PER_MILLI);
                noteProgress(refused);
            }
        } catch (IOException e) {
            lock.lock();
            try {
                failure = e;
            } finally {
                lock.unlock();
            }
        } finally {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            transport.close(lingerNanos);
        }
    }

    private boolean isDone(byte @Nullable [] refused) {
        lock.lock();
        try {
            return closing && queue.isEmpty() && refused == null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isIdle() {
        lock.lock();
        try {
            return queue.isEmpty() && !closing;
        } finally {
            lock.unlock();
        }
    }

    /** Offers queued frames to the sink; returns the frame that it rejected, or null. */
    private byte @Nullable [] send(byte @Nullable [] refused) {
        byte[] frame = refused == null ? next() : refused;
        while (frame != null) {
            if (!sink.offer(frame)) {
                return frame;
            }
            framesSent.incrementAndGet();
            if (sink.peers() == 0) {
                framesUnheard.incrementAndGet();
            }
            frame = next();
        }
        return null;
    }

    private byte @Nullable [] next() {
        lock.lock();
        try {
            byte[] frame = queue.poll();
            if (frame != null) {
                queuedBytes -= frame.length;
                sending = true;
                changed.signalAll();
            }
            return frame;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there are subscribers, and all of them read frames of chunks, as of the last time the sockets were polled. */
    boolean allReadChunks() {
        return allReadChunks;
    }

    private void noteProgress(byte @Nullable [] refused) {
        int peers = sink.peers();
        allReadChunks = peers > 0 && batching != null && sink.allAnnounce(Topic.CHUNKS);
        boolean busy = refused != null || !sink.flushed();
        lock.lock();
        try {
            if (peers != subscribers || busy != sending) {
                subscribers = peers;
                sending = busy;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Flushes for at most five seconds and closes. */
    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }

    /** Flushes for at most {@code linger} and closes; unsent frames are lost. */
    public void close(Duration linger) {
        lock.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            lingerNanos = linger.toNanos();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        transport.wakeup();
        try {
            thread.join(linger.toMillis() + 500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
