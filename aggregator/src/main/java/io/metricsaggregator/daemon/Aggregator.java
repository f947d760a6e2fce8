package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.publish.TickSchedule;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
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

    private final DaemonConfig config;
    private final StopRequest stop;
    private final Supervision supervision;
    private final RunAssembler runs;
    /** Replaced when a resumed run is followed by another benchmark's; the thread {@code publish} reads it too. */
    private volatile LiveRun run;

    private final OutputDirectory directory;
    private final Transport sockets;
    private final SnapshotPublisher publisher;
    private final StartSignals startSignals;
    private final PublisherWatch publishers;
    private SessionWatch session;
    private final SnapshotRenderer renderer;
    private final TerminalDelivery delivery;
    private final Exporters exporters;
    private final OwnCollection collection;
    /** Null until the session has started, or is overdue. */
    private @Nullable TickSchedule ticks;

    /** Opens the sockets. Frames are received from the first poll on. */
    Aggregator(
            DaemonConfig config,
            StopRequest stop,
            Supervision supervision,
            RunAssembler runs,
            LiveRun run,
            OutputDirectory directory,
            Transport sockets)
            throws IOException {
        this.config = config;
        this.stop = stop;
        this.supervision = supervision;
        this.runs = runs;
        this.run = run;
        this.directory = directory;
        this.sockets = sockets;
        FrameSource source = sockets.openSource(
                config.endpoints().inputs(), run.isResumed() ? new ResumedFrames(run, this::beginNextRun) : run.ingest);
        FrameSink sink = sockets.openSink(config.endpoints().outputs(), FrameSink.Kind.PUBLISH_LATEST);
        long opened = System.nanoTime();
        this.startSignals = new StartSignals(config, directory, sockets, source, opened, () -> this.run.ready());
        this.publishers = new PublisherWatch(source, opened, LOG::info, LOG::warn);
        this.session = new SessionWatch(run.fold, LOG::warn);
        this.renderer = new SnapshotRenderer(
                run.limits().snapshotFrameBytes(),
                sockets::wakeup,
                nanos -> this.run.self.sample(nanos),
                (thread, cause) -> {
                    supervision.giveMemoryBack();
                    LOG.error("the thread {} died", thread.getName(), cause);
                    stop.fail(cause);
                });
        this.publisher = new SnapshotPublisher(renderer, sink);
        this.exporters = new Exporters(config.exports(), renderer::lastRendered);
        this.delivery = new TerminalDelivery(
                config.lifecycle().strict(), stop, supervision, sockets, publisher, newWriter(), exporters);
        this.collection = new OwnCollection(config.collection(), sockets::wakeup);
        run.texts.wakes(sockets::wakeup);
        LOG.info("run {}: events from {}, snapshots to {}", run.id(), source.endpoints(), sink.endpoints());
    }

    /** Leaves the resumed run unfinished and begins another; answers what takes the frames from now on. */
    private Ingest beginNextRun() {
        LiveRun resumed = run;
        try {
            LiveRun next = runs.following(resumed, config.publishing().intervalNanos());
            next.texts.wakes(sockets::wakeup);
            next.ingest.telemetry().signsTo(supervision::sign);
            run = next;
            session = new SessionWatch(next.fold, LOG::warn);
            ticks = null;
            LOG.warn(
                    "a session of another benchmark started: run {} is left unfinished, and run {} begins. 'replay {}' computes run {}",
                    resumed.id(),
                    next.id(),
                    resumed.journalFolder(),
                    resumed.id());
        } catch (IOException e) {
            LOG.error(
                    "a session of another benchmark started, and no journal can be created for it: its events count into run {}. {}",
                    resumed.id(),
                    e.toString());
        }
        return run.ingest;
    }

    private FinalSnapshotWriter newWriter() {
        return new FinalSnapshotWriter(
                directory.path(),
                config.output().fallbackDirectory(),
                config.output().fileMode(),
                supervision::giveMemoryBack);
    }

    /** Runs to the end. */
    ExitStatus run() {
        supervision.watch(renderer, this::newWriter);
        run.ingest.telemetry().signsTo(supervision::sign);
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
        run.ingest.close();
        if (last == null) {
            supervision.writeLastShown(TerminalDelivery.STOP_FILE_NANOS);
            supervision.done();
            return ExitStatus.INTERNAL;
        }
        return delivery.deliver(run, last);
    }

    /** Receives and folds, and takes snapshots in between, until the session ends or is interrupted. */
    private void receive() throws IOException {
        while (!run.fold.isEnded() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            startSignals.check(now);
            publishers.check(now);
            session.check(now);
            start(now);
            if (ticks != null && ticks.nanosUntilDue(now) <= 0) {
                tick(now, ticks);
            }
            takeCollected();
            run.exchangeTexts();
            publisher.publish();
            long wait = ticks == null ? IDLE_NANOS : Math.max(0, ticks.nanosUntilDue(System.nanoTime()));
            sockets.poll(startSignals.isSettled() ? wait : Math.min(wait, NOT_READY_NANOS));
        }
        if (run.fold.isEnded()) {
            // A short run can be over before the peer has confirmed the subscription.
            startSignals.end();
        }
        session.end();
    }

    /** Begins to publish: when the run has started, or when records come without it, so that a screen can say so. */
    private void start(long now) {
        if (run.hasStarted() && run.state.get() == SessionState.INITIALIZE) {
            run.state.advance(SessionState.LIVE, startReason());
        }
        if (ticks == null && (run.hasStarted() || session.isUnstarted(now))) {
            run.sampleRates(now);
            ticks = new TickSchedule(now, config.publishing().intervalNanos());
        }
    }

    private String startReason() {
        if (run.fold.hasSessionStarted()) {
            return "session.started";
        }
        return run.fold.isStarted() ? "the first record" : "observations come";
    }

    /** Folds what the daemon collected itself, and counts what its exporters did. */
    private void takeCollected() {
        collection.foldInto(run);
        exporters.count(run.counters);
    }

    private void tick(long now, TickSchedule ticks) {
        if (renderer.isFree()) {
            take(now);
        } else {
            run.counters.ticksSkipped.increment();
        }
        run.self.ticked(Math.max(0, -ticks.nanosUntilDue(now)));
        ticks.changeInterval(run.self.intervalNanos());
        long before = ticks.skipped();
        ticks.take(now);
        run.counters.ticksSkipped.add(ticks.skipped() - before);
    }

    private void take(long now) {
        run.counters.ticksPublished.increment();
        renderer.render(run.take(now, sockets.stats()));
        if (run.self.taken(System.nanoTime() - now)) {
            LOG.info(
                    "snapshots are {} ms apart from now on ({} ms were asked for): it is what they cost",
                    run.self.intervalNanos() / MILLI,
                    config.publishing().intervalNanos() / MILLI);
        }
    }

    /** Says that the session has ended, and receives what is on its way, to count it as late. */
    private void drain() throws IOException {
        if (!run.fold.isEnded()) {
            return;
        }
        sessionEnded();
        collection.end(run);
        long start = System.nanoTime();
        boolean taken = !run.hasStarted();
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
        if (!run.fold.isEnded() || !run.texts.drain()) {
            return;
        }
        long start = System.nanoTime();
        LOG.info("counting the tokens of what is left");
        TickSchedule schedule =
                ticks == null ? new TickSchedule(start, config.publishing().intervalNanos()) : ticks;
        while (run.texts.isWaiting() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            long left = config.publishing().drainTimeoutNanos() == 0
                    ? Long.MAX_VALUE
                    : config.publishing().drainTimeoutNanos() - (now - start);
            if (left <= 0) {
                LOG.warn("the drain timeout is over: texts are left uncounted, see n_pending_tasks");
                return;
            }
            if (schedule.nanosUntilDue(now) <= 0) {
                tick(now, schedule);
            }
            run.exchangeTexts();
            publisher.publish();
            if (run.texts.isWaiting()) {
                sockets.poll(Math.min(left, Math.max(0, schedule.nanosUntilDue(System.nanoTime()))));
            }
        }
    }

    private void sessionEnded() {
        if (run.hasStarted() && run.state.get() == SessionState.INITIALIZE) {
            run.state.advance(SessionState.LIVE, startReason());
        }
        if (run.state.get() != SessionState.DRAINING) {
            run.state.advance(SessionState.DRAINING, "session.ended");
        }
    }

    /** Ends the run and takes its last snapshot; null if that is not possible any more. */
    private @Nullable MetricsSnapshot finish() {
        collection.stop();
        if (stop.isRequested() && !run.fold.isEnded()) {
            receiveWhatHasArrived();
            takeCollected();
        }
        Throwable failure = stop.failure();
        if (failure != null) {
            run.broken();
            run.state.advance(SessionState.INTERRUPTED, "internal error: " + failure);
        } else if (run.fold.isEnded() && !(stop.isRequested() && run.texts.isWaiting())) {
            sessionEnded();
            run.end("the session has ended");
        } else {
            run.state.advance(SessionState.INTERRUPTED, "interrupted by a signal");
        }
        try {
            return run.takeTerminal(System.nanoTime(), sockets.stats(), () -> {
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
            return run.takeTerminal(System.nanoTime(), sockets.stats(), () -> true);
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
                    && !run.fold.isEnded()
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
