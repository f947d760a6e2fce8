package io.metricsaggregator.daemon;

import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time between the end of a run and SIGTERM, with {@code --after-end stay}: subscribers receive the terminal snapshot, and records
 * are received and discarded, so that no producer blocks. Belongs to the main loop.
 */
final class AfterEnd {
    private static final Logger LOG = LoggerFactory.getLogger(AfterEnd.class);
    private static final long REPEAT_NANOS = 1_000_000_000L;

    private AfterEnd() {}

    /**
     * Serves the sockets until a stop is requested. A failure of the sockets is logged and fails the process.
     *
     * @param sink has been offered the terminal snapshot
     * @param discarded number of frames received since the end of the run
     */
    static void untilStopped(StopRequest stop, Transport sockets, FrameSink sink, LongSupplier discarded) {
        boolean warned = false;
        long repeatedNanos = System.nanoTime();
        try {
            while (!stop.isRequested()) {
                sockets.poll(REPEAT_NANOS);
                if (!warned && discarded.getAsLong() > 0) {
                    warned = true;
                    LOG.warn(
                            "frames are discarded: they arrived after the end of the run. Stop this daemon with SIGTERM and start"
                                    + " another one for the next run");
                }
                if (System.nanoTime() - repeatedNanos >= REPEAT_NANOS) {
                    repeatedNanos = System.nanoTime();
                    sink.repeatLast();
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("sockets failed after the end of the run", e);
            stop.fail(e);
        }
    }
}
