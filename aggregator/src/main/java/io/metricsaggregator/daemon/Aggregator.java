package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main flow: receive, decode, fold, tick, drain, finish. The thread that calls {@link #run} owns the sockets and the run's state.
 * {@link Transport#poll} receives frames and hands them to {@link io.metricsaggregator.ingest.Ingest}, which decodes and folds them.
 */
final class Aggregator {
    private static final Logger LOG = LoggerFactory.getLogger(Aggregator.class);
    /** Longest wait while the start signals are not settled: the state of the inputs is polled. */
    private static final long UNSETTLED_WAIT_NANOS = 20_000_000L;

    private final StopRequest stop;
    private final Supervision supervision;
    private final CurrentRun current;
    private final Transport sockets;
    private final StartSignals startSignals;
    private final PublisherWatch publishers;
    private final StallWatch stalls;
    private final SnapshotPublisher publisher;
    private final OwnCollection collection;
    private final Exporters exporters;
    private final Ticks ticks;
    private final Drain drain;
    private final EndOfRun finish;

    /** A main flow whose parts are open; {@link AggregatorAssembler} opens them. */
    Aggregator(
            StopRequest stop,
            Supervision supervision,
            CurrentRun current,
            Transport sockets,
            StartSignals startSignals,
            PublisherWatch publishers,
            StallWatch stalls,
            SnapshotPublisher publisher,
            OwnCollection collection,
            Exporters exporters,
            Ticks ticks,
            Drain drain,
            EndOfRun finish) {
        this.stop = stop;
        this.supervision = supervision;
        this.current = current;
        this.sockets = sockets;
        this.startSignals = startSignals;
        this.publishers = publishers;
        this.stalls = stalls;
        this.publisher = publisher;
        this.collection = collection;
        this.exporters = exporters;
        this.ticks = ticks;
        this.drain = drain;
        this.finish = finish;
    }

    /** Runs until the session ends, a stop is requested or the flow fails; returns the exit status of the process. */
    ExitStatus run() {
        current.connect();
        try {
            while (!current.get().isEnded() && !stop.isRequested()) {
                tick();
                receiveDecodeAndFold();
            }
            sessionOver();
            drain.drain();
        } catch (Throwable e) {
            // Whatever failed, the counts so far are still written to a file.
            supervision.giveMemoryBack();
            LOG.error("main loop failed", e);
            stop.fail(e);
        }
        return finish.finish();
    }

    /** Does the periodic work of the main loop; takes a snapshot if one is due. */
    private void tick() throws IOException {
        supervision.sign();
        long now = System.nanoTime();
        startSignals.check(now);
        publishers.check(now);
        current.session().check(now);
        stalls.check(now);
        ticks.startIfDue(now);
        ticks.tickIfDue(now);
        collection.foldInto(current.get());
        exporters.count(current.get().counters());
        current.get().exchangeTexts();
        publisher.publish();
    }

    /** Waits for frames, until the next tick at most, and applies those that have arrived. */
    private void receiveDecodeAndFold() throws IOException {
        long wait = ticks.nanosUntilDue();
        long settled = startSignals.isSettled() ? wait : Math.min(wait, UNSETTLED_WAIT_NANOS);
        long now = System.nanoTime();
        sockets.poll(stalls.wait(now, Math.min(settled, collection.nanosUntilDue(now))));
    }

    private void sessionOver() throws IOException {
        if (current.get().isEnded()) {
            // A short run can be over before the peer has confirmed the subscription.
            startSignals.end();
        }
        current.session().end();
    }
}
