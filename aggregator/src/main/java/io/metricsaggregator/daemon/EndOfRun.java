package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes a run: after a stop request receives the frames sent before it, enters the terminal state, takes the terminal snapshot and
 * delivers it. Belongs to the main loop; used once.
 */
final class EndOfRun {
    private static final Logger LOG = LoggerFactory.getLogger(EndOfRun.class);
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    /** After a stop request: longest time in which arrived frames are still applied. */
    private static final long STOP_RECEIVE_NANOS = SECOND;
    /** After a stop request: silence after which all frames sent before it have arrived. */
    private static final long STOP_SILENCE_NANOS = 50 * MILLI;
    /** After a stop request: series without exact percentiles by now get them from histograms. */
    private static final long STOP_EXACT_NANOS = 3 * SECOND;

    private final StopRequest stop;
    private final Supervision supervision;
    private final CurrentRun current;
    private final Transport sockets;
    private final OwnCollection collection;
    private final Exporters exporters;
    private final TerminalDelivery delivery;

    /** A finish that has not begun. */
    EndOfRun(
            StopRequest stop,
            Supervision supervision,
            CurrentRun current,
            Transport sockets,
            OwnCollection collection,
            Exporters exporters,
            TerminalDelivery delivery) {
        this.stop = stop;
        this.supervision = supervision;
        this.current = current;
        this.sockets = sockets;
        this.collection = collection;
        this.exporters = exporters;
        this.delivery = delivery;
    }

    /**
     * Finishes the run. If no terminal snapshot can be taken, writes the last rendered one as interrupted.
     *
     * @return the exit status of the process
     */
    ExitStatus finish() {
        collection.stop();
        if (stop.isRequested() && !current.get().isEnded()) {
            receiveArrived();
            collection.foldInto(current.get());
            exporters.count(current.get().counters());
        }
        LiveRun run = current.get();
        enterTerminalState(run);
        MetricsSnapshot last = takeTerminal(run);
        run.ingest().close();
        if (last == null) {
            supervision.writeLastShown(TerminalDelivery.STOP_FILE_NANOS);
            supervision.done();
            return ExitStatus.INTERNAL;
        }
        return delivery.deliver(run, last);
    }

    /** Applies the frames that the sockets hold, and those on their way into them. A failure is logged and fails the run. */
    private void receiveArrived() {
        if (stop.failure() != null) {
            return;
        }
        try {
            // A producer's own queue refills the socket behind what is read: only silence means that it is empty.
            long lastFrame = System.nanoTime();
            while (System.nanoTime() - lastFrame < STOP_SILENCE_NANOS
                    && !current.get().isEnded()
                    && !stop.isOlderThan(STOP_RECEIVE_NANOS)) {
                if (sockets.poll(STOP_SILENCE_NANOS) > 0) {
                    lastFrame = System.nanoTime();
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("receiving the remaining frames failed", e);
            stop.fail(e);
        }
    }

    private void enterTerminalState(LiveRun run) {
        Throwable failure = stop.failure();
        if (failure != null) {
            run.broken();
            run.interrupt("internal error: " + failure);
        } else if (run.isEnded() && !(stop.isRequested() && run.texts().isWaiting())) {
            run.enterDraining();
            run.end("the session has ended");
        } else if (stop.isStalled()) {
            run.interruptStalled();
        } else {
            run.interrupt("interrupted by a signal");
        }
    }

    /** Takes the terminal snapshot; one with percentiles of histograms if that fails, and null if that fails too. */
    private @Nullable MetricsSnapshot takeTerminal(LiveRun run) {
        try {
            return run.takeTerminal(System.nanoTime(), sockets.stats(), () -> {
                supervision.sign();
                return stop.isOlderThan(STOP_EXACT_NANOS);
            });
        } catch (Throwable e) {
            supervision.giveMemoryBack();
            LOG.error("exact percentiles not computed: the final snapshot has those of histograms", e);
            stop.fail(e);
            return takeTerminalInexact(run);
        }
    }

    private @Nullable MetricsSnapshot takeTerminalInexact(LiveRun run) {
        try {
            return run.takeTerminal(System.nanoTime(), sockets.stats(), () -> true);
        } catch (Throwable e) {
            LOG.error("terminal snapshot failed", e);
            return null;
        }
    }
}
