package io.metricsaggregator.daemon;

import java.util.concurrent.locks.LockSupport;

/** The request to end, from a signal's thread and a failing one to the main loop. */
public final class StopHandOver {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private StopHandOver() {}

    /** The main loop wakes, knows the failure once it was woken by it, and never takes the request for an old one. */
    public static void stop() throws InterruptedException {
        StopRequest stop = new StopRequest();
        Thread owner = Thread.currentThread();
        stop.wakes(() -> LockSupport.unpark(owner));
        Thread signal = new Thread(stop::signal);
        Thread failing = new Thread(() -> stop.fail(new IllegalStateException("planned")));
        signal.start();
        failing.start();
        while (!stop.isRequested()) {
            if (stop.isOlderThan(HOUR_NANOS)) {
                throw new AssertionError("a new request is old");
            }
            LockSupport.park();
        }
        if (stop.isOlderThan(HOUR_NANOS)) {
            throw new AssertionError("a new request is old");
        }
        signal.join();
        failing.join();
        if (stop.failure() == null) {
            throw new AssertionError("the failure is lost");
        }
    }
}
