package io.metricsaggregator.producer;

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
 * Publishes frames from any thread. They wait in a bounded queue for the thread that owns the sockets; when it is full,
 * {@link #publish} waits. As with every ZeroMQ publisher, a frame that is sent while nobody subscribes is gone.
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

    private volatile long lingerNanos;

    /** Something that collects what is to be published, and has to be asked for it in time. */
    interface Batching {
        /** Publishes what has waited long enough; answers how long until it is to be asked again. */
        long publishDue() throws IOException;
    }

    /**
     * Opens a publisher.
     *
     * @param endpoints where it binds or connects
     * @param queueMaxBytes frames that may wait; a larger one is taken when nothing else waits
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

    /** Where it listens and connects; a port asked for as 0 is the real one. */
    public List<Endpoint> endpoints() {
        return sink.endpoints();
    }

    /** Has the sending thread ask for what is collected; to be set once, before anything is published. */
    void batching(Batching source) {
        lock.lock();
        try {
            batching = source;
        } finally {
            lock.unlock();
        }
    }

    /** Has it ask now. */
    void wake() {
        transport.wakeup();
    }

    /** Frames that were handed to the sockets, {@link #framesUnheard} among them. */
    public long framesSent() {
        return framesSent.get();
    }

    /** Frames that were sent while nobody subscribed, and are gone. */
    public long framesUnheard() {
        return framesUnheard.get();
    }

    /**
     * Hands over a frame, waiting while the queue is full.
     *
     * @param frame must not be changed any more
     * @throws IOException if the sockets broke, or the publisher is closed
     */
    public void publish(byte[] frame) throws IOException {
        publish(frame, FOR_EVER);
    }

    /** As {@link #publish(byte[])}, but waits so long at most; false if there was no room by then. */
    boolean publish(byte[] frame, Duration timeout) throws IOException {
        lock.lock();
        try {
            // The sending thread itself is let through: it would wait for itself.
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
            throw new IOException("the publisher's sockets broke: " + failure.getMessage(), failure);
        }
    }

    /** Waits, with the lock held, until something is so; false if that takes longer. */
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
     * Waits until so many subscribers are there.
     *
     * @return whether they came in time
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

    /** Waits until all that was published has been handed to the operating system; false if that takes longer. */
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

    /** Offers what waits; answers the frame that found no room. */
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

    private void noteProgress(byte @Nullable [] refused) {
        int peers = sink.peers();
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

    /** Sends what waits, for five seconds at most, and closes. */
    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }

    /** Sends what waits, for as long as {@code linger} at most, and closes. What is left is gone. */
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
