package io.metricsaggregator.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits until a condition holds, instead of sleeping. */
final class Await {
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private Await() {}

    static void until(Callable<Boolean> condition, Supplier<String> description) {
        until(PATIENCE, condition, description);
    }

    static void until(Duration patience, Callable<Boolean> condition, Supplier<String> description) {
        long start = System.nanoTime();
        try {
            while (!condition.call()) {
                if (System.nanoTime() - start > patience.toNanos()) {
                    throw new AssertionError("not within " + patience + ": " + description.get());
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
