package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the heap of all workers: any number may count small texts, but only one at a time a large one. Thread-safe.
 */
final class TextMemory {
    private static final long CHARS_MIN = 1L << 20;
    private static final long CHARS_MAX = 32L << 20;
    private static final long SMALL_CHARS_MIN = 64L << 10;
    /** Limit of a large text in characters as a fraction of the heap; a character with its copies takes some 8 bytes. */
    private static final long HEAP_SHARE = 32;

    private static final long WAIT_NANOS = 1_000_000L;

    private final long maxChars;
    private final long smallChars;
    /** The thread that counts a large text; null if none does. */
    private final AtomicReference<@Nullable Thread> large = new AtomicReference<>();

    /**
     * Computes the bounds for a machine.
     *
     * @param heapBytes maximum heap
     * @param cores number of counting threads
     */
    TextMemory(long heapBytes, int cores) {
        this.maxChars = Math.max(CHARS_MIN, Math.min(CHARS_MAX, heapBytes / HEAP_SHARE));
        this.smallChars = Math.max(SMALL_CHARS_MIN, Math.min(maxChars, heapBytes / (8 * HEAP_SHARE * cores)));
    }

    /** Computes the bounds for this process. */
    static TextMemory ofThisProcess() {
        return new TextMemory(
                Runtime.getRuntime().maxMemory(), Runtime.getRuntime().availableProcessors());
    }

    /** Whether a text of this length, in bytes or characters, counts as large. */
    boolean isLarge(long length) {
        return length > smallChars;
    }

    /**
     * Limits for one rendering by a worker.
     *
     * @param sign called periodically while the worker waits for its turn, as its heartbeat
     */
    RenderLimits limits(Runnable sign) {
        return new RenderLimits(maxChars, smallChars, () -> becomeLarge(sign));
    }

    /** Waits until no other worker counts a large text; does nothing if the caller does already. */
    void becomeLarge(Runnable sign) {
        Thread caller = Thread.currentThread();
        while (large.get() != caller && !large.compareAndSet(null, caller)) {
            sign.run();
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** Releases the turn of a thread that is done or abandoned. */
    void release(@Nullable Thread holder) {
        if (holder != null) {
            large.compareAndSet(holder, null);
        }
    }
}
