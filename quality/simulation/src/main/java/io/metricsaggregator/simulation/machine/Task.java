package io.metricsaggregator.simulation.machine;

import org.jspecify.annotations.Nullable;

/** A thread of the simulated process: a {@link Thread} that was never started, whose body runs as a coroutine. */
final class Task {
    static final long NEVER = Long.MAX_VALUE;

    final Thread thread;
    /** Whether it belongs to the second process on the machine. */
    final boolean other;
    /** When a parked task wakes without a permit, in virtual nanoseconds; {@link #NEVER} if only another task wakes it. */
    long wakeNanos = NEVER;

    boolean hasRun;
    boolean parked;
    /** It does not run before this virtual time. */
    long stalledNanos;

    /** As of {@link java.util.concurrent.locks.LockSupport#unpark}: the next park returns at once. */
    boolean permit;

    boolean ended;
    /** The latch or thread whose end wakes it; null if it waits for neither. */
    @Nullable
    Object awaited;

    private final Coroutine coroutine;

    Task(Thread thread, boolean other, Coroutine coroutine) {
        this.thread = thread;
        this.other = other;
        this.coroutine = coroutine;
    }

    String name() {
        return other ? "other:" + thread.getName() : thread.getName();
    }

    boolean canRun(long nowNanos) {
        return !ended && stalledNanos <= nowNanos && (!parked || wakeNanos <= nowNanos);
    }

    /** When it can run, unless another task wakes it; {@link #NEVER} if only that does. */
    long nextNanos() {
        return Math.max(stalledNanos, parked ? wakeNanos : 0);
    }

    void resume() {
        coroutine.resume();
    }

    void wake() {
        parked = false;
        wakeNanos = NEVER;
    }
}
