package io.metricsaggregator.registry;

import java.util.function.IntConsumer;

/** Threads for work that can be shared out; the registry itself starts none. */
public interface Workers {
    /** The caller alone. */
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

    /** How many there are, at least 1. */
    int count();

    /** Has each worker do the task with its own number, from 0, and waits for all of them. Throws what one of them threw. */
    void run(IntConsumer task);
}
