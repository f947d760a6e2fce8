package io.metricsaggregator.producer;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Publishes event records in batches. A batch is sent when it is full, when its first record has waited {@link #MAX_DELAY}, and with
 * every session event; a single record is sent under its own topic. Thread-safe; records keep the order of the calls. When
 * subscribers are too slow, {@link #publish} blocks; nothing is dropped once a peer has subscribed.
 */
public final class EventPublisher implements Closeable {

    /** Default number of records per batch. */
    public static final int BATCH_SIZE = 1000;

    /** Maximum time a record waits for others. */
    public static final Duration MAX_DELAY = Duration.ofMillis(10);

    private static final long QUEUE_MAX_BYTES = 64L << 20;
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    /** Retry delay of the sending thread while another thread publishes. */
    private static final long BUSY_NANOS = 1_000_000L;

    private final FramePublisher frames;
    private final int batchSize;

    /** Held while waiting for a full queue; the sending thread, which makes room, only tries to take it. */
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final EventEncoder encoder = new EventEncoder();
    private final List<byte[]> batch = new ArrayList<>();
    private final List<Worker> waiting = new ArrayList<>();
    private int waitingChunks;
    /** Frames to be published, in order; empty unless the queue is full. */
    private final ArrayDeque<byte[]> sealed = new ArrayDeque<>();

    private String firstTopic = "";
    private long firstNanos;

    /** Opens a publisher with batches of {@link #BATCH_SIZE} records. */
    public EventPublisher(List<Endpoint> endpoints, TransportOptions options) throws IOException {
        this(endpoints, options, BATCH_SIZE);
    }

    /**
     * Opens a publisher.
     *
     * @param batchSize records per batch; 1 to send every record separately
     */
    public EventPublisher(List<Endpoint> endpoints, TransportOptions options, int batchSize) throws IOException {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batch size " + batchSize + " is below 1");
        }
        this.batchSize = batchSize;
        this.frames = new FramePublisher(endpoints, options, QUEUE_MAX_BYTES);
        frames.batching(this::publishDue);
    }

    /** The bound and connected endpoints. */
    public List<Endpoint> endpoints() {
        return frames.endpoints();
    }

    /** Waits for a number of subscribers; returns whether they connected in time. */
    public boolean awaitSubscribers(int count, Duration timeout) throws IOException {
        return frames.awaitSubscribers(count, timeout);
    }

    /**
     * Opens a worker, which numbers its records and sends later chunks in frames where every subscriber reads these.
     *
     * @param number of the worker, the key {@code worker_id}, from 0; of one open worker only
     * @param life a number, from 0, that differs between two starts of the worker, such as the time of its start
     */
    public Worker worker(long number, long life) {
        return new Worker(this, number, life);
    }

    /**
     * Publishes one record; blocks while the queue is full. Records of a {@link Worker} go through that instead.
     *
     * @throws IOException if the sockets failed or the publisher is closed
     */
    public void publish(EventRecord event) throws IOException {
        lock.lock();
        try {
            add(event, DecodedEvent.NO_HANDLE);
            sendSealed();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Publishes a frame of another kind, such as telemetry, behind all records before it; blocks while the queue is full.
     *
     * @param frame with its topic; must not be modified afterwards
     * @throws IOException if the sockets failed or the publisher is closed
     */
    public void publishFrame(byte[] frame) throws IOException {
        lock.lock();
        try {
            sealAll();
            sealed.add(frame);
            sendSealed();
        } finally {
            lock.unlock();
        }
    }

    // -- For workers, with the lock held -----------------------------------------------------------------------------

    ReentrantLock lock() {
        return lock;
    }

    boolean takesChunks() {
        return batchSize > 1 && frames.allReadChunks();
    }

    /** Adds a record, behind all chunks that wait if it is of the session. {@link #sendSealed} is to follow. */
    void add(EventRecord event, int handle) {
        if (event.type().isSession()) {
            sealChunks();
        }
        addSingle(event, handle);
        if (event.type().isSession()) {
            seal();
        }
    }

    /** Adds a record before all chunks that wait. */
    void addSingle(EventRecord event, int handle) {
        boolean first = batch.isEmpty() && waitingChunks == 0;
        if (batch.isEmpty()) {
            firstTopic = event.type().wireName();
        }
        batch.add(encoder.encode(event, handle));
        if (batch.size() >= batchSize) {
            seal();
        } else if (first && !event.type().isSession()) {
            startDelay();
        }
    }

    /** Notes that a worker has a chunk that waits. {@link #sendSealed} is to follow. */
    void chunkWaits(Worker worker, boolean first) {
        if (first) {
            waiting.add(worker);
        }
        waitingChunks++;
        if (waitingChunks >= batchSize) {
            sealChunks();
        } else if (waitingChunks == 1 && batch.isEmpty()) {
            startDelay();
        }
    }

    /** Notes that chunks no longer wait. */
    void chunksTaken(int count) {
        waitingChunks -= count;
    }

    /** Makes frames, or where a subscriber does not read them single records, of all chunks that wait, behind the records so far. */
    void sealChunks() {
        boolean framed = takesChunks();
        if (framed && waitingChunks > 0) {
            seal();
        }
        for (Worker worker : waiting) {
            worker.takeChunks(framed, sealed);
        }
        waiting.clear();
        waitingChunks = 0;
    }

    void sendSealed() throws IOException {
        sendSealed(FOR_EVER);
    }

    /** Hands over what is sealed; false, with the rest kept, if there was no room in time. */
    private boolean sendSealed(Duration timeout) throws IOException {
        long start = System.nanoTime();
        try {
            for (byte[] frame = sealed.peek(); frame != null; frame = sealed.peek()) {
                if (!frames.publish(frame, timeout.minusNanos(System.nanoTime() - start))) {
                    return false;
                }
                sealed.remove();
            }
            return true;
        } catch (IOException e) {
            sealed.clear();
            throw e;
        }
    }

    /** The first of what waits determines when all is due. */
    private void startDelay() {
        firstNanos = System.nanoTime();
        frames.wake();
    }

    /** Number of frames handed to the sockets, including {@link #framesUnheard}. */
    public long framesSent() {
        return frames.framesSent();
    }

    /** Number of frames sent without a subscriber, and so lost. */
    public long framesUnheard() {
        return frames.framesUnheard();
    }

    private long publishDue() throws IOException {
        if (!lock.tryLock()) {
            return BUSY_NANOS;
        }
        try {
            if (batch.isEmpty() && waitingChunks == 0) {
                return Long.MAX_VALUE;
            }
            long left = MAX_DELAY.toNanos() - (System.nanoTime() - firstNanos);
            if (left > 0) {
                return left;
            }
            sealAll();
            sendSealed();
            return Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    private void sealAll() {
        sealChunks();
        seal();
    }

    private void seal() {
        if (batch.isEmpty()) {
            return;
        }
        sealed.add(
                batch.size() == 1
                        ? Topic.frame(firstTopic, batch.get(0))
                        : Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
        batch.clear();
    }

    /** Publishes what waits if there is room in time. */
    private boolean sendWithin(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            // A thread that waits for room may hold the lock.
            if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while publishing");
        }
        try {
            sealAll();
            return sendSealed(Duration.ofNanos(deadline - System.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /** Sends all records and waits until the operating system has them; false on timeout. */
    public boolean flush(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        return sendWithin(timeout) && frames.flush(Duration.ofNanos(deadline - System.nanoTime()));
    }

    /** Flushes for at most five seconds and closes. */
    @Override
    public void close() throws IOException {
        close(Duration.ofSeconds(5));
    }

    /** Flushes for at most {@code linger} and closes; unsent frames are lost. */
    public void close(Duration linger) throws IOException {
        if (frames.isClosed()) {
            return;
        }
        long deadline = System.nanoTime() + linger.toNanos();
        sendWithin(linger);
        frames.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
}
