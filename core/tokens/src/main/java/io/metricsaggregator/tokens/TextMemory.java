package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Limits the heap use of all workers: any number of workers may count small texts, but only one at a time a large one. Thread-safe.
 */
final class TextMemory {
    private static final long CHARS_MIN = 1L << 20;
    private static final long CHARS_MAX = 32L << 20;
    private static final long SMALL_CHARS_MIN = 64L << 10;
    /** Divisor of the heap in bytes that gives the length of a large text in characters; a character with its copies takes some 8 bytes. */
    private static final long HEAP_SHARE = 32;

    private static final long WAIT_NANOS = 1_000_000L;

    private final long maxChars;
    private final long smallChars;
    /** The thread that counts a large text; null if no thread does. */
    private final AtomicReference<@Nullable Thread> large = new AtomicReference<>();

    /**
     * Computes the limits for a machine.
     *
     * @param heapBytes maximum heap
     * @param cores number of counting threads
     */
    TextMemory(long heapBytes, int cores) {
        this.maxChars = Math.max(CHARS_MIN, Math.min(CHARS_MAX, heapBytes / HEAP_SHARE));
        this.smallChars = Math.max(SMALL_CHARS_MIN, Math.min(maxChars, heapBytes / (8 * HEAP_SHARE * cores)));
    }

    /** Computes the limits for this process. */
    static TextMemory ofThisProcess() {
        return new TextMemory(
                Runtime.getRuntime().maxMemory(), Runtime.getRuntime().availableProcessors());
    }

    /** Returns whether a text of this length, in bytes or characters, counts as large. */
    boolean isLarge(long length) {
        return length > smallChars;
    }

    /**
     * Returns the limits for one rendering by a worker.
     *
     * @param heartbeat called periodically while the worker waits for its turn, as its heartbeat
     */
    RenderLimits limits(Runnable heartbeat) {
        return new RenderLimits(maxChars, smallChars, () -> becomeLarge(heartbeat));
    }

    /** Waits until no other worker counts a large text. Returns at once if the caller already holds the turn. */
    void becomeLarge(Runnable heartbeat) {
        Thread caller = Thread.currentThread();
        while (large.get() != caller && !large.compareAndSet(null, caller)) {
            heartbeat.run();
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** Releases the turn of a thread that has finished or is abandoned. */
    void release(@Nullable Thread holder) {
        if (holder != null) {
            large.compareAndSet(holder, null);
        }
    }
}
