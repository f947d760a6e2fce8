package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a run whose session has ended: receives the records that are still in the sockets, which count as late, and waits until all
 * texts have been counted. A run whose session has not ended is left as it is. Belongs to the main loop.
 */
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final long MILLI = 1_000_000L;
    /** Time in which late records are received. */
    private static final long LATE_RECEIVE_NANOS = 20 * MILLI;

    private final long timeoutNanos;
    private final StopRequest stop;
    private final Supervision supervision;
    private final CurrentRun current;
    private final Transport sockets;
    private final SnapshotRenderer renderer;
    private final SnapshotPublisher publisher;
    private final OwnCollection collection;
    private final Ticks ticks;

    /**
     * A drain that has not begun.
     *
     * @param timeoutNanos longest wait for texts; {@link Long#MAX_VALUE} for no limit
     */
    Drain(
            long timeoutNanos,
            StopRequest stop,
            Supervision supervision,
            CurrentRun current,
            Transport sockets,
            SnapshotRenderer renderer,
            SnapshotPublisher publisher,
            OwnCollection collection,
            Ticks ticks) {
        this.timeoutNanos = timeoutNanos;
        this.stop = stop;
        this.supervision = supervision;
        this.current = current;
        this.sockets = sockets;
        this.renderer = renderer;
        this.publisher = publisher;
        this.collection = collection;
        this.ticks = ticks;
    }

    /**
     * Drains the run, if its session has ended. Returns early when a stop is requested while texts are counted.
     *
     * @throws IOException if the sockets break
     */
    void drain() throws IOException {
        if (current.get().isEnded()) {
            current.get().enterDraining();
            collection.end(current.get());
            receiveLateRecords();
            awaitTexts();
        }
    }

    /** Polls until the sockets are empty, and takes a snapshot that shows DRAINING to subscribers. */
    private void receiveLateRecords() throws IOException {
        long start = System.nanoTime();
        boolean taken = !current.get().hasStarted();
        int frames = 1;
        while ((frames > 0 || !taken || !renderer.isFree()) && System.nanoTime() - start < LATE_RECEIVE_NANOS) {
            supervision.sign();
            publisher.publish();
            if (!taken && renderer.isFree()) {
                ticks.take(System.nanoTime());
                taken = true;
            }
            frames = sockets.poll(taken ? MILLI : 0);
        }
        publisher.publish();
    }

    /** Waits until all texts have been counted or the timeout has passed; ticks continue meanwhile. */
    private void awaitTexts() throws IOException {
        if (!current.get().texts().drain()) {
            return;
        }
        long start = System.nanoTime();
        LOG.info("counting the tokens of the remaining texts");
        ticks.start(start);
        while (current.get().texts().isWaiting() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            long left = timeoutNanos - (now - start);
            if (left <= 0) {
                LOG.warn("drain timeout elapsed: the remaining texts are not counted, see n_pending_tasks");
                return;
            }
            ticks.tickIfDue(now);
            current.get().exchangeTexts();
            publisher.publish();
            if (current.get().texts().isWaiting()) {
                sockets.poll(Math.min(left, ticks.nanosUntilDue()));
            }
        }
    }
}
