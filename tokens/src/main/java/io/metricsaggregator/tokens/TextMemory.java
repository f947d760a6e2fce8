package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the heap that all workers take together while they count: each may work on a small text at any time, and one of them on a
 * large one. Thread-safe.
 */
final class TextMemory {
    private static final long CHARS_MIN = 1L << 20;
    private static final long CHARS_MAX = 32L << 20;
    private static final long SMALL_CHARS_MIN = 64L << 10;
    /** A large text takes up to this fraction of the heap in characters; a character takes some 8 bytes with its copies. */
    private static final long HEAP_SHARE = 32;

    private static final long WAIT_NANOS = 1_000_000L;

    private final long maxChars;
    private final long smallChars;
    /** The thread that has a large text. */
    private final AtomicReference<@Nullable Thread> large = new AtomicReference<>();

    /**
     * Bounds for a machine.
     *
     * @param heapBytes the heap at its largest
     * @param cores threads that may count at a time
     */
    TextMemory(long heapBytes, int cores) {
        this.maxChars = Math.max(CHARS_MIN, Math.min(CHARS_MAX, heapBytes / HEAP_SHARE));
        this.smallChars = Math.max(SMALL_CHARS_MIN, Math.min(maxChars, heapBytes / (8 * HEAP_SHARE * cores)));
    }

    /** Bounds for this process. */
    static TextMemory ofThisProcess() {
        return new TextMemory(
                Runtime.getRuntime().maxMemory(), Runtime.getRuntime().availableProcessors());
    }

    /** Whether a text of this many bytes or characters may only be counted alone. */
    boolean isLarge(long length) {
        return length > smallChars;
    }

    /**
     * Limits for one rendering by a worker.
     *
     * @param sign a sign of life of that worker, given while it waits for its turn
     */
    RenderLimits limits(Runnable sign) {
        return new RenderLimits(maxChars, smallChars, () -> becomeLarge(sign));
    }

    /** Waits until no other worker has a large text; does nothing if the caller has one already. */
    void becomeLarge(Runnable sign) {
        Thread caller = Thread.currentThread();
        while (large.get() != caller && !large.compareAndSet(null, caller)) {
            sign.run();
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** The text of a thread is done, or the thread is given up. */
    void release(@Nullable Thread holder) {
        if (holder != null) {
            large.compareAndSet(holder, null);
        }
    }
}
