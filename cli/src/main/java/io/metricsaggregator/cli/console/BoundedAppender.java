package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands log events to a thread of its own through a bounded queue. An event that does not fit is dropped and counted; callers never wait.
 * Logback's own class for this composes texts about itself at each start.
 */
final class BoundedAppender extends AppenderBase<ILoggingEvent> {
    private static final int QUEUE = 1024;
    private static final long STOP_MILLIS = 500;

    private final Appender<ILoggingEvent> target;
    private final AtomicLong lost;
    private final ThreadPoolExecutor writer;

    /**
     * Creates an appender that is not started.
     *
     * @param target writes each event, on the thread {@code log}; is stopped with this appender
     * @param lost counts the dropped events
     */
    BoundedAppender(Appender<ILoggingEvent> target, AtomicLong lost) {
        this.target = target;
        this.lost = lost;
        this.writer = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), BoundedAppender::thread, this::drop);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "log");
        thread.setDaemon(true);
        return thread;
    }

    private void drop(Runnable event, ThreadPoolExecutor full) {
        lost.incrementAndGet();
    }

    /** Starts the thread now: a caller that logs would fail where no thread can be made. */
    @Override
    public void start() {
        writer.prestartCoreThread();
        super.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        writer.execute(() -> target.doAppend(event));
    }

    /** Writes the queued events; waits at most half a second. */
    @Override
    public void stop() {
        if (!isStarted()) {
            return;
        }
        super.stop();
        writer.shutdown();
        try {
            if (!writer.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        target.stop();
    }
}
