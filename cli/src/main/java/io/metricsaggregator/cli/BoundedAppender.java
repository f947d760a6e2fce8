package io.metricsaggregator.cli;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicLong;

/** Hands log events to another thread through a bounded queue. An event that does not fit is dropped and counted; callers never wait. */
final class BoundedAppender extends AsyncAppender {
    private final AtomicLong lost = new AtomicLong();

    /** Returns the number of events dropped since the last call. */
    long takeLost() {
        return lost.getAndSet(0);
    }

    @Override
    protected synchronized void append(ILoggingEvent event) {
        // Only this method adds, so an event that finds room here is not dropped by the queue.
        if (getRemainingCapacity() == 0) {
            lost.incrementAndGet();
        } else {
            super.append(event);
        }
    }
}
