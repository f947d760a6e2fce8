package io.metricsaggregator.proxy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Absolute deadlines: a peer that sends a byte now and then does not move them. The thread {@code proxy-deadlines} checks all of them every 25 ms.
 * Thread-safe.
 */
final class Deadlines implements AutoCloseable {
    private static final long CHECK_NANOS = 25_000_000;
    private static final long NONE = Long.MAX_VALUE;

    private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
    private final long startNanos = System.nanoTime();
    private volatile boolean closed;

    /** One deadline of one owner. Thread-safe. */
    final class Deadline {
        private final Runnable action;
        private volatile long dueNanos = NONE;
        private volatile boolean passed;

        private Deadline(Runnable action) {
            this.action = action;
        }

        /** Sets the deadline; the action runs when it passes. */
        void in(long nanos) {
            dueNanos = System.nanoTime() - startNanos + nanos;
        }

        void clear() {
            dueNanos = NONE;
        }

        /** Whether the action has run. */
        boolean hasPassed() {
            return passed;
        }

        /** Forgets the deadline. */
        void forget() {
            deadlines.remove(this);
        }
    }

    /** Adds a deadline that is not set. The action must not block. */
    Deadline add(Runnable action) {
        Deadline deadline = new Deadline(action);
        deadlines.add(deadline);
        return deadline;
    }

    void start() {
        Thread thread = new Thread(this::run, "proxy-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(this, CHECK_NANOS);
            long now = System.nanoTime() - startNanos;
            for (Deadline each : deadlines) {
                if (each.dueNanos <= now) {
                    each.clear();
                    each.passed = true;
                    each.action.run();
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
