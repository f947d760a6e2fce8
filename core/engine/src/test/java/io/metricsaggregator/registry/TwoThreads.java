package io.metricsaggregator.registry;

import java.util.function.IntConsumer;

/** Runs work on two real threads, so that tests exercise shared state. */
public final class TwoThreads implements Workers {
    @Override
    public int count() {
        return 2;
    }

    @Override
    public void run(IntConsumer task) {
        Throwable[] failure = new Throwable[1];
        Thread other = new Thread(() -> task.accept(1));
        other.setUncaughtExceptionHandler((thread, cause) -> failure[0] = cause);
        other.start();
        task.accept(0);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure[0] != null) {
            throw new IllegalStateException("the other worker failed", failure[0]);
        }
    }
}
