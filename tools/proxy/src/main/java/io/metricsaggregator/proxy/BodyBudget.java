package io.metricsaggregator.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes of bodies that all connections together hold to read them. Thread-safe. */
final class BodyBudget {
    private final AtomicLong left;

    BodyBudget(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    /** Takes bytes; false if there are not as many. */
    boolean take(int bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    /** Gives bytes back that were taken. */
    void give(long bytes) {
        left.addAndGet(bytes);
    }
}
