package io.metricsaggregator.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for conditions, not for time. */
final class Await {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    static void until(Callable<Boolean> condition, Supplier<String> otherwise) {
        until(PATIENCE, condition, otherwise);
    }

    static void until(Duration patience, Callable<Boolean> condition, Supplier<String> otherwise) {
        long start = System.nanoTime();
        try {
            while (!condition.call()) {
                if (System.nanoTime() - start > patience.toNanos()) {
                    throw new AssertionError("not within " + patience + ": " + otherwise.get());
                }
                LockSupport.parkNanos(1_000_000L);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
