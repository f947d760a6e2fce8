package io.metricsaggregator.flink;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that nobody signals, such as a file that another process or a task writes. */
public final class Await {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long STEP_NANOS = 5_000_000L;

    private Await() {}

    /**
     * Returns once a condition holds.
     *
     * @throws AssertionError after 120 s, or if the thread is interrupted, with {@code what} in its message
     */
    public static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting until " + what);
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 120 s: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
