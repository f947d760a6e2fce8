package io.metricsaggregator.daemon;

import org.jspecify.annotations.Nullable;

/** A request to end the run before its session ends, made by a signal, by an endpoint that does not answer, or by an internal failure. Safe from any thread. */
public final class StopRequest {
    private volatile boolean requested;
    private volatile long requestedNanos;
    private volatile boolean stalled;
    private volatile @Nullable Throwable failure;
    private volatile Runnable wake = () -> {};

    /** Sets the action that wakes the main loop; called on the requesting thread. */
    public void wakes(Runnable action) {
        wake = action;
    }

    /** Requests the end; sets flags and wakes the main loop. */
    public void signal() {
        if (!requested) {
            requestedNanos = System.nanoTime();
            requested = true;
        }
        wake.run();
    }

    /** Requests the end because no endpoint answers. */
    void stalled() {
        stalled = true;
        signal();
    }

    /** Whether the end was requested because no endpoint answers. */
    boolean isStalled() {
        return stalled;
    }

    /** Requests the end because of an internal failure; the first cause is kept. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        signal();
    }

    /** Whether the end was requested. */
    public boolean isRequested() {
        return requested;
    }

    /** Whether the request was made more than {@code nanos} ago; false without a request. */
    public boolean isOlderThan(long nanos) {
        return requested && System.nanoTime() - requestedNanos > nanos;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
