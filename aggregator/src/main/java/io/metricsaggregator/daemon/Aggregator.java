package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.Collectors;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ingest.SessionChange;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.publish.SnapshotOnOutput;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.publish.TickSchedule;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
    /** After SIGTERM: a file that is not durable by now is called so. */
    private static final long STOP_FILE_NANOS = 3 * SECOND + 500 * MILLI;
    /** After SIGTERM: a file that is still being written by now is given up for one of figures alone. */
    private static final long STOP_WHOLE_FILE_NANOS = 3 * SECOND + 200 * MILLI;
    /** After a regular end: the same. */
    private static final long WHOLE_FILE_PATIENCE_NANOS = 25 * SECOND;
    /** After a regular end: a disk that takes longer is called broken. */
    private static final long FILE_PATIENCE_NANOS = 30 * SECOND;

    private static final long PUBLISH_LINGER_NANOS = SECOND;
    /** How long a snapshot without a file waits for a reader of standard output, and how long after SIGTERM. */
    private static final long OUTPUT_PATIENCE_NANOS = 10 * SECOND;

    private static final long STOP_OUTPUT_NANOS = 300 * MILLI;

    private final AggregatorOptions options;
    private final StopRequest stop;
    private final Supervision supervision;
    /** Replaced when a resumed run is followed by another benchmark's; the thread {@code publish} reads it too. */
    private volatile Run run;

    private final OutputDirectory directory;
    private final Transport sockets;
    private final FrameSink sink;
    private final StartSignals startSignals;
    private final PublisherWatch publishers;
    private SessionWatch session;
    private final SnapshotRenderer renderer;
    private final FinalSnapshotWriter writer;
    private final Exporters exporters;
    private final CollectedFrames collected;
    private final Collectors collectors;
    /** Null until the session has started, or is overdue. */
    private @Nullable TickSchedule ticks;

    /** Opens the sockets. Frames are received from the first poll on. */
    Aggregator(
            AggregatorOptions options,
            StopRequest stop,
            Supervision supervision,
            Run run,
            OutputDirectory directory,
            Transport sockets)
            throws IOException {
        this.options = options;
        this.stop = stop;
        this.supervision = supervision;
        this.run = run;
        this.directory = directory;
        this.sockets = sockets;
        FrameSource source = sockets.openSource(options.inputs(), run.isResumed() ? new ResumedFrames() : run.ingest);
        this.sink = sockets.openSink(options.outputs(), FrameSink.Kind.PUBLISH_LATEST);
        long opened = System.nanoTime();
        this.startSignals = new StartSignals(options, directory, sockets, source, opened, () -> this.run.ready());
        this.publishers = new PublisherWatch(source, opened, LOG::info, LOG::warn);
        this.session = new SessionWatch(run.fold, LOG::warn);
        this.writer = newWriter();
        this.renderer = new SnapshotRenderer(
                run.limits.snapshotFrameBytes(),
                sockets::wakeup,
                nanos -> this.run.self.sample(nanos),
                (thread, cause) -> {
                    supervision.giveMemoryBack();
                    LOG.error("the thread {} died", thread.getName(), cause);
                    stop.fail(cause);
                });
        this.exporters = new Exporters(options.exports(), renderer::lastRendered);
        this.collected = new CollectedFrames(sockets::wakeup);
        AggregatorOptions.Observe observe = options.observe();
        this.collectors = new Collectors(observe.host(), observe.scrapes(), collected);
        run.wakes(sockets::wakeup);
        LOG.info("run {}: events from {}, snapshots to {}", run.id, source.endpoints(), sink.endpoints());
    }

    /** Frames of a resumed run, among which may be the first of another benchmark: those and what follows belong to a new run. */
    private final class ResumedFrames implements FrameHandler {
        private @Nullable SessionChange change = new SessionChange(run.fold);
        private Ingest ingest = run.ingest;

        @Override
        public void onFrame(ByteBuffer buffer, int start, int length) {
            if (change != null && change.isIn(buffer, start, length)) {
                change = null;
                ingest.onBurstEnd();
                beginNextRun();
                ingest = run.ingest;
            }
            ingest.onFrame(buffer, start, length);
        }

        @Override
        public void onBurstEnd() {
            ingest.onBurstEnd();
        }
    }

    private void beginNextRun() {
        Run resumed = run;
        try {
            Run next = resumed.next(options, System::nanoTime);
            next.wakes(sockets::wakeup);
            next.ingest.observations().signsTo(supervision::sign);
            run = next;
            session = new SessionWatch(next.fold, LOG::warn);
            ticks = null;
            LOG.warn(
                    "a session of another benchmark started: run {} is left unfinished, and run {} begins. 'replay {}' computes run {}",
                    resumed.id,
                    next.id,
                    resumed.journalFolder(),
                    resumed.id);
        } catch (IOException e) {
            LOG.error(
                    "a session of another benchmark started, and no journal can be created for it: its events count into run {}. {}",
                    resumed.id,
                    e.toString());
        }
    }

    private FinalSnapshotWriter newWriter() {
        return new FinalSnapshotWriter(
                directory.path(), options.fallbackDirectory(), options.outputMode(), supervision::giveMemoryBack);
    }

    /** Runs to the end. */
    ExitStatus run() {
        supervision.watch(renderer, this::newWriter);
        run.ingest.observations().signsTo(supervision::sign);
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
            supervision.writeLastShown(STOP_FILE_NANOS);
            supervision.done();
            return ExitStatus.INTERNAL;
        }
        Path file = write(last);
        SnapshotOnOutput output = file == null ? SnapshotOnOutput.start(last) : null;
        publishLast(last);
        supervision.done();
        exporters.last(last);
        exporters.close();
        sockets.close(PUBLISH_LINGER_NANOS);
        if (output != null) {
            output.await(stop.isRequested() ? STOP_OUTPUT_NANOS : OUTPUT_PATIENCE_NANOS);
        }
        return report(last, file);
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
            publish();
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
            run.look(now);
            ticks = new TickSchedule(now, options.publishIntervalNanos());
        }
    }

    private String startReason() {
        if (run.fold.hasSessionStarted()) {
            return "session.started";
        }
        return run.fold.isStarted() ? "the first record" : "observations come";
    }

    /** Takes in what the daemon got by itself, as if it had been received. */
    private void takeCollected() {
        byte[] frame = collected.poll();
        while (frame != null) {
            run.ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            run.ingest.onBurstEnd();
            frame = collected.poll();
        }
        run.counters.collectedDropped.set(collected.dropped());
        run.counters.collectorFailures.set(collectors.failures());
        exporters.count(run.counters);
    }

    /** What the daemon collects belongs to the session: what is still queued at its end is dropped, and counted. */
    private void stopCollecting() {
        collectors.close();
        long left = 0;
        for (byte[] frame = collected.poll(); frame != null; frame = collected.poll()) {
            left++;
        }
        run.counters.collectedDropped.set(collected.dropped() + left);
        run.counters.collectorFailures.set(collectors.failures());
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
                    options.publishIntervalNanos() / MILLI);
        }
    }

    private void publish() {
        byte[] frame = renderer.takeFrame();
        if (frame != null) {
            sink.offer(frame);
        }
    }

    /** Says that the session has ended, and receives what is on its way, to count it as late. */
    private void drain() throws IOException {
        if (!run.fold.isEnded()) {
            return;
        }
        sessionEnded();
        stopCollecting();
        long start = System.nanoTime();
        boolean taken = !run.hasStarted();
        int frames = 1;
        while ((frames > 0 || !taken || !renderer.isFree()) && System.nanoTime() - start < LATE_RECEIVE_NANOS) {
            supervision.sign();
            publish();
            if (!taken && renderer.isFree()) {
                take(System.nanoTime());
                taken = true;
            }
            frames = sockets.poll(taken ? MILLI : 0);
        }
        publish();
    }

    /** Waits until all texts have been counted, or the time for it is over. Ticks go on. */
    private void drainTexts() throws IOException {
        if (!run.fold.isEnded() || !run.drainTexts()) {
            return;
        }
        long start = System.nanoTime();
        LOG.info("counting the tokens of what is left");
        TickSchedule schedule = ticks == null ? new TickSchedule(start, options.publishIntervalNanos()) : ticks;
        while (run.isWaitingForTexts() && !stop.isRequested()) {
            supervision.sign();
            long now = System.nanoTime();
            long left = options.drainTimeoutNanos() == 0 ? Long.MAX_VALUE : options.drainTimeoutNanos() - (now - start);
            if (left <= 0) {
                LOG.warn("the drain timeout is over: texts are left uncounted, see n_pending_tasks");
                return;
            }
            if (schedule.nanosUntilDue(now) <= 0) {
                tick(now, schedule);
            }
            run.exchangeTexts();
            publish();
            if (run.isWaitingForTexts()) {
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
        collectors.close();
        if (stop.isRequested() && !run.fold.isEnded()) {
            receiveWhatHasArrived();
            takeCollected();
        }
        Throwable failure = stop.failure();
        if (failure != null) {
            run.broken();
            run.state.advance(SessionState.INTERRUPTED, "internal error: " + failure);
        } else if (run.fold.isEnded() && !(stop.isRequested() && run.isWaitingForTexts())) {
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

    /** Writes the file; answers where it is durable, or null. The sockets are served meanwhile. */
    private @Nullable Path write(MetricsSnapshot last) {
        long start = System.nanoTime();
        writer.start(
                last,
                () -> stop.isOlderThan(STOP_WHOLE_FILE_NANOS) || System.nanoTime() - start > WHOLE_FILE_PATIENCE_NANOS);
        try {
            while (!writer.isDone()
                    && System.nanoTime() - start < FILE_PATIENCE_NANOS
                    && !stop.isOlderThan(STOP_FILE_NANOS)) {
                supervision.sign();
                publish();
                sockets.poll(MILLI);
            }
        } catch (Throwable e) {
            // The thread that writes does not need this one.
            LOG.error("the sockets broke while the final snapshot was written", e);
            return writer.await(FILE_PATIENCE_NANOS);
        }
        return writer.await(0);
    }

    /** Publishes what ends the run, behind a snapshot that has just been rendered; one that has not is left out. */
    private void publishLast(MetricsSnapshot last) {
        publish();
        renderer.stop();
        try {
            sink.offerLast(new SnapshotFrames(run.limits.snapshotFrameBytes()).encode(last));
        } catch (Throwable e) {
            LOG.error("the terminal snapshot could not be published; its file does not depend on it", e);
        }
    }

    private ExitStatus report(MetricsSnapshot last, @Nullable Path file) {
        Ledger ledger = Ledger.of(last);
        LOG.info(
                "{}: {} records received, {} applied, {} set aside; final snapshot {}",
                last.state().wireName(),
                ledger.received(),
                ledger.applied(),
                ledger.setAside(),
                file == null ? "NOT DURABLE" : file);
        if (run.ingest.framesAfterwards() > 0) {
            LOG.info("{} frames came after the last snapshot and are in no figure", run.ingest.framesAfterwards());
        }
        if (file == null) {
            return ExitStatus.NOT_DURABLE;
        }
        if (stop.failure() != null) {
            return ExitStatus.INTERNAL;
        }
        run.finished();
        boolean clean = ledger.setAside() == 0
                && last.counterValue("batches_malformed") == 0
                && last.counterValue("frames_truncated") == 0
                && last.counterValue("protocol_errors") == 0
                && run.ingest.framesAfterwards() == 0
                && last.counterValue("inflight_evicted") == 0;
        return options.strict() && !clean ? ExitStatus.NOT_CLEAN : ExitStatus.DURABLE;
    }
}
