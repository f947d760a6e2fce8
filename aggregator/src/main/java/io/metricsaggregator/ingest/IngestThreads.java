package io.metricsaggregator.ingest;

import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.EventBatch;
import io.metricsaggregator.fold.FoldLane;
import io.metricsaggregator.fold.PartitionedFold;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that decode records and fold samples beside the thread that receives, which owns this object. Records travel in batches through a ring of
 * recycled ones: the owner copies records into a batch; any thread that is free decodes it; the owner folds its head in the order received; the thread
 * {@code ingest-i} folds the events of lane i; the owner settles it. No batch is dropped: where the ring is full, the owner waits, and with it the
 * producers. Threads see each other's work by the counters of batches alone; nothing is locked.
 */
public final class IngestThreads implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestThreads.class);
    /** Batches in the ring; a power of 2. */
    private static final int RING = 32;

    /** A time without records that may be a stall. */
    private static final long GAP_NANOS = 1_000_000_000L;

    private static final int SPINS = 500;
    private static final long SAY_NANOS = 1_000_000_000L;
    private static final long PARK_NANOS = 50_000L;

    private final PartitionedFold fold;
    private final Thread owner = Thread.currentThread();
    private final EventDecoder decoder;
    private final Consumer<EventBatch> heads;
    private final EventBatch[] ring = new EventBatch[RING];
    /** For each place of the ring, the number of batches that have been decoded there last, counted from 1. */
    private final AtomicLong[] decoded = new AtomicLong[RING];

    private final List<Lane> lanes = new ArrayList<>();
    private final AtomicLong claimed = new AtomicLong();
    /** Batches that may be decoded. */
    private volatile long submitted;
    /** Batches whose head is folded, so that lanes may fold them. */
    private volatile long published;

    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private long settled;
    private boolean broken;
    private long lastReceivedNanos;
    private long waits;
    private long waitedNanos;

    /**
     * Starts the threads. The calling thread owns this object.
     *
     * @param decoder of the thread that owns this object
     * @param heads folds the head of a batch that is decoded
     */
    public IngestThreads(PartitionedFold fold, EventDecoder decoder, Consumer<EventBatch> heads) {
        this.fold = fold;
        this.decoder = decoder;
        this.heads = heads;
        for (int i = 0; i < RING; i++) {
            ring[i] = new EventBatch(fold.size());
            decoded[i] = new AtomicLong();
        }
        fold.settlesBy(this::settleAll);
        for (int i = 0; i < fold.size(); i++) {
            lanes.add(new Lane(i, fold.lane(i), decoder.twin()));
        }
        lanes.forEach(each -> each.thread.start());
        LOG.info(
                "ingest threads started number={}: waits and stalls by label are not reported, and each thread evicts at its share of"
                        + " the samples in flight",
                fold.size());
    }

    private EventBatch at(long number) {
        return ring[(int) number & (RING - 1)];
    }

    /**
     * Takes a record.
     *
     * @param receivedNanos monotonic time of its receipt
     */
    void add(ByteBuffer buffer, int start, int length, long receivedNanos) {
        EventBatch batch = at(submitted);
        if (batch.size() > 0 && (!batch.hasRoom(length) || batch.receivedNanos() != receivedNanos)) {
            submit();
            wakeOne();
            batch = at(submitted);
        }
        if (receivedNanos != lastReceivedNanos) {
            received(receivedNanos);
        }
        batch.received(receivedNanos);
        batch.add(buffer, start, length);
        if (batch.isLarge()) {
            // Memory for one record of unusual size at a time.
            settleAll();
        }
    }

    /** Brings the limit of stalls up to date before the end of what may be one. */
    private void received(long nanos) {
        if (Math.abs(nanos - lastReceivedNanos) > GAP_NANOS) {
            settleAll();
            fold.followLimit();
        }
        lastReceivedNanos = nanos;
    }

    /** Ends the batch that is being filled, and makes room for the next. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written by the owner alone
    private void submit() {
        requireAlive();
        submitted = submitted + 1;
        if (submitted - settled == RING) {
            foldHead();
            awaitRoom();
        }
        at(submitted).clear();
    }

    /** Folds the heads of all records taken so far, in their order. */
    void foldHeads() {
        if (at(submitted).size() > 0) {
            submit();
        }
        while (published < submitted) {
            foldHead();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by the owner alone
    private void foldHead() {
        long number = published;
        if (number == submitted) {
            return;
        }
        awaitDecoded(number);
        EventBatch batch = at(number);
        try {
            batch.requireDecoded();
            heads.accept(batch);
        } catch (RuntimeException | Error e) {
            broken = true;
            throw e;
        } finally {
            published = number + 1;
            for (int i = 0; i < lanes.size(); i++) {
                if (batch.isFor(i)) {
                    lanes.get(i).wake();
                }
            }
        }
    }

    private void awaitDecoded(long number) {
        AtomicLong done = decoded[(int) number & (RING - 1)];
        while (done.get() <= number) {
            if (!decodeNext(null)) {
                requireAlive();
                Thread.onSpinWait();
            }
        }
    }

    /** Decodes a batch that nobody decodes yet; returns whether there was one. Any thread. */
    private boolean decodeNext(@Nullable Lane by) {
        long next = claimed.get();
        if (next >= submitted || !claimed.compareAndSet(next, next + 1)) {
            return false;
        }
        if (by != null) {
            by.decoding = next;
        }
        at(next).decode(by == null ? decoder : by.own);
        decoded[(int) next & (RING - 1)].set(next + 1);
        if (by != null) {
            by.decoding = -1;
        }
        return true;
    }

    /** Waits until the oldest batch of the ring is settled: back-pressure. */
    private void awaitRoom() {
        settleDone();
        if (submitted - settled < RING) {
            return;
        }
        waits++;
        long since = System.nanoTime();
        await(settled + 1);
        settleDone();
        waitedNanos += System.nanoTime() - since;
    }

    /** Settles the batches that all lanes are done with. */
    private void settleDone() {
        long done = published;
        for (int i = 0; i < lanes.size(); i++) {
            done = Math.min(done, lanes.get(i).done);
        }
        while (settled < done) {
            fold.settle(at(settled));
            settled++;
        }
    }

    /** Settles all records taken so far. */
    private void settleAll() {
        requireAlive();
        foldHeads();
        if (settled < published) {
            await(published);
            settleDone();
        }
        if (broken) {
            broken = false;
            fold.settleAsMalformed();
        }
    }

    /** Waits until every lane that lives is done with the first {@code batches}. */
    private void await(long batches) {
        wakeAll();
        long since = 0;
        int spins = 0;
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            while (lane.done < batches) {
                requireAlive();
                if (++spins < SPINS) {
                    Thread.onSpinWait();
                    continue;
                }
                long now = System.nanoTime();
                since = since == 0 ? now : since;
                if (now - since > SAY_NANOS) {
                    LOG.warn("ingest thread stands still name={} at={}", lane.thread.getName(), lane.where());
                    since = now;
                }
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
    }

    private void requireAlive() {
        Throwable cause = failure;
        if (cause != null) {
            failure = null;
            broken = true;
            throw new IngestThreadDied(cause);
        }
    }

    private void wakeAll() {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).wake();
        }
    }

    /** Wakes a thread that has nothing to do, if there is one. */
    private void wakeOne() {
        for (int i = 0; i < lanes.size(); i++) {
            if (lanes.get(i).wake()) {
                return;
            }
        }
    }

    /** How often the owner waited because the ring was full. */
    public long waits() {
        return waits;
    }

    /** Nanoseconds that the owner waited because the ring was full. */
    public long waitedNanos() {
        return waitedNanos;
    }

    /** The threads. */
    public List<Thread> threads() {
        return lanes.stream().map(each -> each.thread).toList();
    }

    /** Ends the threads, which are done with what they were given. */
    @Override
    public void close() {
        closed = true;
        wakeAll();
    }

    /** Folds one lane. */
    private final class Lane {
        private final Thread thread;
        private final FoldLane samples;
        private final EventDecoder own;
        private final int number;
        /** Batches that the lane is done with. */
        private volatile long done;

        private volatile boolean parked;
        /** The batch that this thread decodes; −1 for none. */
        private long decoding = -1;

        Lane(int number, FoldLane samples, EventDecoder own) {
            this.number = number;
            this.samples = samples;
            this.own = own;
            thread = new Thread(this::run, "ingest-" + number);
            thread.setDaemon(true);
        }

        boolean wake() {
            boolean was = parked;
            if (was) {
                LockSupport.unpark(thread);
            }
            return was;
        }

        String where() {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length == 0 ? "ended" : stack[0].toString();
        }

        private void run() {
            try {
                fold();
            } catch (Throwable e) {
                LOG.error("ingest thread died name={}", thread.getName(), e);
                if (decoding >= 0) {
                    at(decoding).breakBy(e);
                    decoded[(int) decoding & (RING - 1)].set(decoding + 1);
                }
                failure = e;
                // The owner must not wait for this lane for ever. Its events have no outcome any more.
                done = Long.MAX_VALUE;
                LockSupport.unpark(owner);
            }
        }

        private void fold() {
            int idle = 0;
            while (!closed) {
                if (decodeNext(this)) {
                    idle = 0;
                } else if (done < published) {
                    apply();
                    idle = 0;
                } else if (++idle < SPINS) {
                    Thread.onSpinWait();
                } else {
                    park();
                    idle = 0;
                }
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread alone
        private void apply() {
            EventBatch batch = at(done);
            if (batch.isFor(number)) {
                samples.apply(batch);
            }
            done = done + 1;
        }

        private void park() {
            parked = true;
            if (!closed && done >= published && claimed.get() >= submitted) {
                LockSupport.park(this);
            }
            parked = false;
        }
    }
}
