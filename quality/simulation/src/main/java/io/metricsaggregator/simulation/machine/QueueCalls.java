package io.metricsaggregator.simulation.machine;

import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon's classes call in place of queues and semaphores that block, once they are woven: who waits parks in virtual time until another thread
 * has changed the object. Run on a simulated thread.
 */
public final class QueueCalls {
    private QueueCalls() {}

    /** Wakes the threads that wait for an object, and lets one of them run. */
    private static void changed(Object object) {
        Machine machine = Machine.active();
        if (machine.release(object)) {
            machine.step("hand over");
        }
    }

    /** As {@link BlockingQueue#take}. */
    public static Object take(BlockingQueue<?> queue) {
        Machine machine = Machine.active();
        Object head = queue.poll();
        while (head == null) {
            machine.await(queue, Task.NEVER);
            head = queue.poll();
        }
        changed(queue);
        return head;
    }

    /** As {@link BlockingQueue#put}. */
    public static void put(BlockingQueue<Object> queue, Object element) {
        Machine machine = Machine.active();
        while (!queue.offer(element)) {
            machine.await(queue, Task.NEVER);
        }
        changed(queue);
    }

    /** As {@link BlockingQueue#add}. */
    public static boolean add(BlockingQueue<Object> queue, Object element) {
        boolean added = queue.add(element);
        changed(queue);
        return added;
    }

    /** As {@link BlockingQueue#offer(Object)}. */
    public static boolean offer(BlockingQueue<Object> queue, Object element) {
        boolean added = queue.offer(element);
        changed(queue);
        return added;
    }

    /** As {@link BlockingQueue#poll()}. */
    public static @Nullable Object poll(BlockingQueue<?> queue) {
        Object head = queue.poll();
        changed(queue);
        return head;
    }

    /** As {@link BlockingQueue#poll(long, TimeUnit)}. */
    public static @Nullable Object poll(BlockingQueue<?> queue, long time, TimeUnit unit) {
        Machine machine = Machine.active();
        long until = machine.now() + unit.toNanos(time);
        Object head = queue.poll();
        while (head == null && machine.now() < until) {
            machine.await(queue, until);
            head = queue.poll();
        }
        changed(queue);
        return head;
    }

    /** As {@link BlockingQueue#drainTo(Collection)}. */
    public static int drainTo(BlockingQueue<Object> queue, Collection<Object> into) {
        int drained = queue.drainTo(into);
        changed(queue);
        return drained;
    }

    /** As {@link BlockingQueue#clear}. */
    public static void clear(BlockingQueue<?> queue) {
        queue.clear();
        changed(queue);
    }

    /** As {@link Semaphore#acquire(int)}. */
    public static void acquire(Semaphore semaphore, int permits) {
        Machine machine = Machine.active();
        while (!semaphore.tryAcquire(permits)) {
            machine.await(semaphore, Task.NEVER);
        }
    }

    /** As {@link Semaphore#release()}. */
    public static void release(Semaphore semaphore) {
        release(semaphore, 1);
    }

    /** As {@link Semaphore#release(int)}. */
    public static void release(Semaphore semaphore, int permits) {
        semaphore.release(permits);
        changed(semaphore);
    }
}
