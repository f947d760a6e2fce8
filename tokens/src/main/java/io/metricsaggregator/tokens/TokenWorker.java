package io.metricsaggregator.tokens;

import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thread that counts batches, with a heartbeat. When it hangs, the owner takes over its batch: whichever of the two clears {@code
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

    /**
     * A worker that takes from {@code work}.
     *
     * @param finished takes a batch and the first failure in it, on the worker's thread
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
                goesOn();
                current.set(batch);
                Throwable failure = count.count(batch);
                if (!current.compareAndSet(batch, null)) {
                    return; // Given up: another worker has the rest.
                }
                hand(batch, failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hands a batch back, even when the heap is exhausted. */
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
    public void begins(int newItem) {
        item = newItem;
        goesOn();
    }

    @Override
    public void goesOn() {
        signNanos = System.nanoTime();
    }

    @Override
    public boolean isGivenUp() {
        return current.get() == null;
    }

    /** The index of the current item, from 0. */
    int item() {
        return item;
    }

    /**
     * Takes over the batch of a worker without a heartbeat since a time.
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

    /** The stack trace of the thread. */
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
