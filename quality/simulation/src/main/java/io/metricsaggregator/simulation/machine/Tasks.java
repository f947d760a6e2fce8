package io.metricsaggregator.simulation.machine;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of the processes that run, in the order in which they were started. */
final class Tasks {
    private final List<Task> all = new ArrayList<>();
    private final IdentityHashMap<Thread, Task> byThread = new IdentityHashMap<>();

    void add(Task task) {
        all.add(task);
        byThread.put(task.thread, task);
    }

    /** The task of a thread; null if the thread is none of theirs. */
    @Nullable
    Task of(Thread thread) {
        return byThread.get(thread);
    }

    /**
     * Adds the tasks that can run.
     *
     * @return when another one can, unless it is woken; {@link Task#NEVER} if none will
     */
    long ready(long nowNanos, List<Task> into) {
        long next = Task.NEVER;
        for (Task each : all) {
            if (each.canRun(nowNanos)) {
                into.add(each);
            } else if (!each.ended) {
                next = Math.min(next, each.nextNanos());
            }
        }
        return next;
    }

    /** Wakes those that wait for an object; returns whether any does. */
    boolean release(Object awaited) {
        boolean woken = false;
        for (Task each : all) {
            if (each.awaited == awaited && each.parked) {
                each.wake();
                woken = true;
            }
        }
        return woken;
    }
}
