package io.metricsaggregator.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions. */
final class Await {
    private Await() {}

    static void until(BooleanSupplier condition, Supplier<String> what) {
        if (!within(Duration.ofSeconds(20), condition)) {
            throw new AssertionError("not within 20 s: " + what.get());
        }
    }

    static boolean within(Duration timeout, BooleanSupplier condition) {
        long due = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - due >= 0) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
