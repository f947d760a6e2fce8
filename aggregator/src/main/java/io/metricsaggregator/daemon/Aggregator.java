package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.publish.TickSchedule;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main flow: receive, and with it decode and fold; tick; drain; finish. All of it on the one thread that calls {@link #run},
 * which owns the sockets and the run's state. Receiving, decoding and folding happen inside {@link Transport#poll}, which hands
 * frames to {@link io.metricsaggregator.ingest.Ingest}.
 */
final class Aggregator {
    private static final Logger LOG = LoggerFactory.getLogger(Aggregator.class);
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** How long a wait may last when no tick is due: nothing depends on it. */
    private static final long IDLE_NANOS = SECOND;
    /** How often inputs that are not ready yet are asked whether they are. */
    private static final long NOT_READY_NANOS = 20 * MILLI;
    /** After the end: what the sockets hold is received for this long, to be counted as late. */
    private static final long LATE_RECEIVE_NANOS = 20 * MILLI;
    /** After SIGTERM: what the sockets hold still counts, for this long at most. */
    private static final long STOP_RECEIVE_NANOS = SECOND;
    /** After SIGTERM: when nothing has come for this long, all that was sent has arrived. */
    private static final long STOP_SILENCE_NANOS = 50 * MILLI;
    /** After SIGTERM: percentiles that are not exact by now come from histograms. */
    private static final long STOP_EXACT_NANOS = 3 * SECOND;

    private final DaemonConfig.Publishing publishing;
    private final StopRequest stop;
    private final Supervision supervision;
    private final CurrentRun current;
    private final Transport sockets;
    private final StartSignals startSignals;
    private final PublisherWatch publishers;
    private final SnapshotRenderer renderer;
    private final SnapshotPublisher publisher;
    private final TerminalDelivery delivery;
    private final Supplier<FinalSnapshotWriter> writers;
    private final Exporters exporters;
    private final OwnCollection collection;
    /** Null until the session has started, or is overdue. */
    private @Nullable TickSchedule ticks;

    /** A main loop whose parts are open; {@link AggregatorAssembler} opens them. */
    Aggregator(
            DaemonConfig.Publishing publishing,
            StopRequest stop,
            Supervision supervision,
            CurrentRun current,
            Transport sockets,
            StartSignals startSignals,
            PublisherWatch publishers,
            SnapshotRenderer renderer,
            SnapshotPublisher publisher,
            TerminalDelivery delivery,
            Supplier<FinalSnapshotWriter> writers,
            Exporters exporters,
            OwnCollection collection) {
        this.publishing = publishing;
        this.stop = stop;
        this.supervision = supervision;
        this.current = current;
        this.sockets = sockets;
        this.startSignals = startSignals;
        this.publishers = publishers;
        this.renderer = renderer;
        this.publisher = publisher;
        this.delivery = delivery;
        this.writers = writers;
        this.exporters = exporters;
        this.collection = collection;
    }

    /** Receives, drains and finishes; returns the exit status. */
    ExitStatus run() {
        supervision.watch(renderer, writers);
        current.connect();
        try {
            receive();
            drain();
            drainTexts();
        } catch (Throwable e) {
            // Whatever it is, what has been counted is still worth a file.
            supervision.giveMemoryBack();
            LOG.error("the main flow broke", e);
            stop.fail(e);
        }
        MetricsSnapshot last = finish();
        current.get().ingest().close();
        if (last == null) {
            supervision.writeLastShown(TerminalDelivery.STOP_FILE_NANOS);
            supervision.done();
            return ExitStatus.INTERNAL;
        }
        return delivery.deliver(current.get(), last);
    }

    /** Receives and folds, and takes snapshots in between, until the session ends or is interrupted. */
    private void receive() throws IOException {
        while (!current.get().isEnded() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            startSignals.check(now);
            publishers.check(now);
            current.session().check(now);
            start(now);
            if (ticks != null && ticks.nanosUntilDue(now) <= 0) {
                tick(now, ticks);
            }
            takeCollected();
            current.get().exchangeTexts();
            publisher.publish();
            long wait = ticks == null ? IDLE_NANOS : Math.max(0, ticks.nanosUntilDue(System.nanoTime()));
            sockets.poll(startSignals.isSettled() ? wait : Math.min(wait, NOT_READY_NANOS));
        }
        if (current.get().isEnded()) {
            // A short run can be over before the peer has confirmed the subscription.
            startSignals.end();
        }
        current.session().end();
    }

    /** Begins to publish: when the run has started, or when records come without it, so that a screen can say so. */
    private void start(long now) {
        if (current.takeReplaced()) {
            ticks = null;
        }
        current.get().enterLive();
        if (ticks == null && (current.get().hasStarted() || current.session().isUnstarted(now))) {
            current.get().sampleRates(now);
            ticks = new TickSchedule(now, publishing.intervalNanos());
        }
    }

    /** Folds what the daemon collected itself, and counts what its exporters did. */
    private void takeCollected() {
        collection.foldInto(current.get());
        exporters.count(current.get().counters());
    }

    private void tick(long now, TickSchedule ticks) {
        if (renderer.isFree()) {
            take(now);
        } else {
            current.get().counters().ticksSkipped.increment();
        }
        current.get().self().ticked(Math.max(0, -ticks.nanosUntilDue(now)));
        ticks.changeInterval(current.get().self().intervalNanos());
        long before = ticks.skipped();
        ticks.take(now);
        current.get().counters().ticksSkipped.add(ticks.skipped() - before);
    }

    private void take(long now) {
        current.get().counters().ticksPublished.increment();
        renderer.render(current.get().take(now, sockets.stats()));
        if (current.get().self().taken(System.nanoTime() - now)) {
            LOG.info(
                    "snapshots are {} ms apart from now on ({} ms were asked for): it is what they cost",
                    current.get().self().intervalNanos() / MILLI,
                    publishing.intervalNanos() / MILLI);
        }
    }

    /** Says that the session has ended, and receives what is on its way, to count it as late. */
    private void drain() throws IOException {
        if (!current.get().isEnded()) {
            return;
        }
        current.get().enterDraining();
        collection.end(current.get());
        long start = System.nanoTime();
        boolean taken = !current.get().hasStarted();
        int frames = 1;
        while ((frames > 0 || !taken || !renderer.isFree()) && System.nanoTime() - start < LATE_RECEIVE_NANOS) {
            supervision.sign();
            publisher.publish();
            if (!taken && renderer.isFree()) {
                take(System.nanoTime());
                taken = true;
            }
            frames = sockets.poll(taken ? MILLI : 0);
        }
        publisher.publish();
    }

    /** Waits until all texts have been counted, or the time for it is over. Ticks go on. */
    private void drainTexts() throws IOException {
        if (!current.get().isEnded() || !current.get().texts().drain()) {
            return;
        }
        long start = System.nanoTime();
        LOG.info("counting the tokens of what is left");
        TickSchedule schedule = ticks == null ? new TickSchedule(start, publishing.intervalNanos()) : ticks;
        while (current.get().texts().isWaiting() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            long left = publishing.drainTimeoutNanos() == 0
                    ? Long.MAX_VALUE
                    : publishing.drainTimeoutNanos() - (now - start);
            if (left <= 0) {
                LOG.warn("the drain timeout is over: texts are left uncounted, see n_pending_tasks");
                return;
            }
            if (schedule.nanosUntilDue(now) <= 0) {
                tick(now, schedule);
            }
            current.get().exchangeTexts();
            publisher.publish();
            if (current.get().texts().isWaiting()) {
                sockets.poll(Math.min(left, Math.max(0, schedule.nanosUntilDue(System.nanoTime()))));
            }
        }
    }

    /** Ends the run and takes its last snapshot; null if that is not possible any more. */
    private @Nullable MetricsSnapshot finish() {
        collection.stop();
        if (stop.isRequested() && !current.get().isEnded()) {
            receiveWhatHasArrived();
            takeCollected();
        }
        Throwable failure = stop.failure();
        if (failure != null) {
            current.get().broken();
            current.get().interrupt("internal error: " + failure);
        } else if (current.get().isEnded()
                && !(stop.isRequested() && current.get().texts().isWaiting())) {
            current.get().enterDraining();
            current.get().end("the session has ended");
        } else {
            current.get().interrupt("interrupted by a signal");
        }
        try {
            return current.get().takeTerminal(System.nanoTime(), sockets.stats(), () -> {
                supervision.sign();
                return stop.isOlderThan(STOP_EXACT_NANOS);
            });
        } catch (Throwable e) {
            supervision.giveMemoryBack();
            LOG.error("exact percentiles could not be computed; those of histograms are left", e);
            stop.fail(e);
            return takeTerminalInexact();
        }
    }

    private @Nullable MetricsSnapshot takeTerminalInexact() {
        try {
            return current.get().takeTerminal(System.nanoTime(), sockets.stats(), () -> true);
        } catch (Throwable e) {
            LOG.error("no terminal snapshot can be taken", e);
            return null;
        }
    }

    /** What was sent before the signal counts: it is in the sockets' buffers, or on its way into them. */
    private void receiveWhatHasArrived() {
        if (stop.failure() != null) {
            return;
        }
        try {
            // A producer's own queue refills the socket behind what is read: only a silence means that it is empty.
            long lastFrame = System.nanoTime();
            while (System.nanoTime() - lastFrame < STOP_SILENCE_NANOS
                    && !current.get().isEnded()
                    && !stop.isOlderThan(STOP_RECEIVE_NANOS)) {
                if (sockets.poll(STOP_SILENCE_NANOS) > 0) {
                    lastFrame = System.nanoTime();
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("receiving what had arrived broke", e);
            stop.fail(e);
        }
    }
}
