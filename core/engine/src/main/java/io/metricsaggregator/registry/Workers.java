package io.metricsaggregator.registry;

import java.util.function.IntConsumer;

/** Threads that share a task; the registry itself starts none. */
public interface Workers {
    /** The calling thread alone. */
    Workers NONE = new Workers() {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public void run(IntConsumer task) {
            task.accept(0);
        }
    };

    /** Number of workers, at least 1. */
    int count();

    /** Runs the task on each worker with its number, from 0, and waits for all of them. Throws what one of them threw. */
    void run(IntConsumer task);
}
