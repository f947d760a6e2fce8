package io.metricsaggregator.daemon;

import org.jspecify.annotations.Nullable;

/** That the run is to end before its session does: asked for by a signal, or by something that broke. Any thread asks. */
final class StopRequest {
    private volatile boolean requested;
    private volatile long requestedNanos;
    private volatile @Nullable Throwable failure;
    private volatile Runnable wake = () -> {};

    /** What ends the main flow's wait. */
    void wakes(Runnable action) {
        wake = action;
    }

    /** Asks for the end. Only sets flags. */
    void signal() {
        if (!requested) {
            requestedNanos = System.nanoTime();
            requested = true;
        }
        wake.run();
    }

    /** Asks for the end because something of the daemon's own broke; the first cause counts. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        signal();
    }

    boolean isRequested() {
        return requested;
    }

    /** Whether it was asked for longer ago than that. */
    boolean isOlderThan(long nanos) {
        return requested && System.nanoTime() - requestedNanos > nanos;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
