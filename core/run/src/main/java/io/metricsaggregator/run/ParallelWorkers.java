package io.metricsaggregator.run;

import io.metricsaggregator.registry.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs tasks on the calling thread and one more thread per further core. Threads start with each task, because tasks are few and large. */
final class ParallelWorkers implements Workers {
    private final int count = Runtime.getRuntime().availableProcessors();

    @Override
    public int count() {
        return count;
    }

    @Override
    public void run(IntConsumer task) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int number = i;
            Thread thread = new Thread(() -> attempt(task, number, failure), "exact-" + i);
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        attempt(task, 0, failure);
        boolean interrupted = false;
        for (Thread each : others) {
            while (each.isAlive()) {
                try {
                    each.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a worker failed", thrown);
        }
    }

    private static void attempt(IntConsumer task, int number, AtomicReference<@Nullable Throwable> failure) {
        try {
            task.accept(number);
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }
}
