package io.metricsaggregator.tokens;

import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thread that counts batches, with a heartbeat. When it hangs, the owner takes over its batch: the one of the two that clears {@code
 * current} first owns the batch.
 */
final class TokenWorker implements TextCount.Progress {
    private static final int FRAMES_SHOWN = 12;
    private static final long MEMORY_WAIT_NANOS = 10_000_000L;

    private final BlockingQueue<TextBatch> work;
    private final BiConsumer<TextBatch, @Nullable Throwable> finished;
    private final AtomicReference<@Nullable TextBatch> current = new AtomicReference<>();
    private volatile int item;
    private volatile long signNanos;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    /**
     * Creates a worker that takes batches from {@code work}.
     *
     * @param finished receives a batch and its first failure, on the worker's thread
     */
    TokenWorker(BlockingQueue<TextBatch> work, BiConsumer<TextBatch, @Nullable Throwable> finished) {
        this.work = work;
        this.finished = finished;
    }

    void start(TextCount count, String name) {
        Thread started = new Thread(() -> run(count), name);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run(TextCount count) {
        try {
            while (true) {
                TextBatch batch = work.take();
                item = batch.settled();
                progressed();
                current.set(batch);
                Throwable failure = count.count(batch);
                if (!current.compareAndSet(batch, null)) {
                    return; // The owner has abandoned this thread; another worker counts the rest.
                }
                hand(batch, failure);
            }
        } catch (InterruptedException e) {
            if (!stopped) {
                // Silent, this would leave the run without a counter of texts.
                throw new IllegalStateException("interrupted, but not asked to stop", e);
            }
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread once it has counted its present batch. */
    void stop() {
        stopped = true;
        Thread known = thread;
        if (known != null) {
            known.interrupt();
        }
    }

    /** Passes a batch back, even when the heap is exhausted. */
    private void hand(TextBatch batch, @Nullable Throwable failure) {
        Throwable told = failure;
        while (true) {
            try {
                finished.accept(batch, told);
                return;
            } catch (OutOfMemoryError e) {
                told = null;
                LockSupport.parkNanos(MEMORY_WAIT_NANOS);
            }
        }
    }

    @Override
    public void itemStarted(int newItem) {
        item = newItem;
        progressed();
    }

    @Override
    public void progressed() {
        signNanos = System.nanoTime();
    }

    @Override
    public boolean isAbandoned() {
        return current.get() == null;
    }

    /** Returns the index of the current item, from 0. */
    int item() {
        return item;
    }

    /**
     * Takes over the batch if the worker has shown no heartbeat since a given time.
     *
     * @return null if the worker is alive or idle
     */
    @Nullable
    TextBatch takeOver(long sinceNanos) {
        TextBatch batch = current.get();
        if (batch == null || signNanos - sinceNanos > 0 || !current.compareAndSet(batch, null)) {
            return null;
        }
        return batch;
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    String name() {
        Thread known = thread;
        return known == null ? "" : known.getName();
    }

    /** Returns the stack trace of the thread. */
    String place() {
        Thread known = thread;
        return known == null
                ? ""
                : Arrays.stream(known.getStackTrace())
                        .limit(FRAMES_SHOWN)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining("\n  "));
    }
}
