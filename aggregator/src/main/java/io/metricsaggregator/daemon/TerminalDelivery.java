package io.metricsaggregator.daemon;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotOnOutput;
import io.metricsaggregator.publish.SteadyStateFiles;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the terminal snapshot within the deadlines of an end: writes the file, or standard output if no file is durable, then
 * publishes it, hands it to exporters, serves it with {@code --after-end stay} until SIGTERM, closes the sockets, and at last waits for
 * browsers that show the live page. Belongs to the thread of the main flow; used once.
 */
final class TerminalDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalDelivery.class);

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** After SIGTERM: a file that is not durable by now is reported as not durable. */
    static final long STOP_FILE_NANOS = 3 * SECOND + 500 * MILLI;
    /** After SIGTERM: a file still being written by now is replaced by one with figures only. */
    private static final long STOP_WHOLE_FILE_NANOS = 3 * SECOND + 200 * MILLI;
    /** After a regular end: a file still being written by now is replaced by one with figures only. */
    private static final long WHOLE_FILE_PATIENCE_NANOS = 25 * SECOND;
    /** After a regular end: a file that is not durable by now is reported as not durable. */
    private static final long FILE_PATIENCE_NANOS = 30 * SECOND;

    /** Longest wait for subscribers to receive the terminal snapshot before the sockets are closed. */
    static final long PUBLISH_LINGER_NANOS = SECOND;
    /** Longest wait for a reader of standard output when no file is durable; the second value applies after SIGTERM. */
    private static final long OUTPUT_PATIENCE_NANOS = 10 * SECOND;

    private static final long STOP_OUTPUT_NANOS = 300 * MILLI;

    private final DaemonConfig.Lifecycle lifecycle;
    private final Path directory;
    private final Set<PosixFilePermission> mode;
    private final StopRequest stop;
    private final Supervision supervision;
    private final Transport sockets;
    private final SnapshotPublisher publisher;
    private final FinalSnapshotWriter writer;
    private final Exporters exporters;
    private final Function<MetricsSnapshot, Judgement.Words> judge;
    private @Nullable Judgement judgement;

    /**
     * A delivery that has not begun.
     *
     * @param lifecycle what follows the end of the session, and the exit status of a run that set records aside
     * @param directory the output directory
     * @param mode permissions of the files beside the final snapshot
     * @param sockets served while the file is written, then closed
     * @param writer not started yet
     * @param judge reaches the verdict that the last line of the log names
     */
    TerminalDelivery(
            DaemonConfig.Lifecycle lifecycle,
            Path directory,
            Set<PosixFilePermission> mode,
            StopRequest stop,
            Supervision supervision,
            Transport sockets,
            SnapshotPublisher publisher,
            FinalSnapshotWriter writer,
            Exporters exporters,
            Function<MetricsSnapshot, Judgement.Words> judge) {
        this.lifecycle = lifecycle;
        this.directory = directory;
        this.mode = mode;
        this.stop = stop;
        this.supervision = supervision;
        this.sockets = sockets;
        this.publisher = publisher;
        this.writer = writer;
        this.exporters = exporters;
        this.judge = judge;
    }

    /** Delivers {@code last}, the terminal snapshot of {@code run}; returns the exit status of the process. */
    ExitStatus deliver(LiveRun run, MetricsSnapshot last) {
        boolean stays = lifecycle.afterEnd() == DaemonConfig.AfterEnd.STAY && run.isEnded() && !stop.isRequested();
        if (stays) {
            FinishedMarker.write(directory, run.id());
        }
        Path file = write(last);
        // After an internal error the heap may be full, and the verdict would be that of a broken run.
        judgement = file == null || stop.failure() != null ? null : Judgement.start(judge, last);
        SnapshotOnOutput output = file == null ? SnapshotOnOutput.start(last) : null;
        publisher.publishLast(last, run.limits().snapshotFrameBytes());
        supervision.done();
        exporters.last(last);
        Path written = file == null ? null : file.getParent();
        if (written != null) {
            writeSteadyState(run.steadyStateFiles(), written);
        }
        boolean stayed = stays && file != null && !stop.isRequested();
        if (stayed) {
            finish(run, last, file);
            LOG.info("result is served until SIGTERM (--after-end stay)");
            AfterEnd.untilStopped(
                    stop, sockets, publisher.sink(), () -> run.ingest().framesAfterwards());
        }
        // After an internal error while it stayed, the process that replaces this one serves the result.
        if (stays && !(stayed && stop.failure() != null)) {
            FinishedMarker.delete(directory);
        }
        boolean watched = exporters.isWatched() && !stop.isRequested();
        if (!watched) {
            exporters.close();
        }
        sockets.close(PUBLISH_LINGER_NANOS);
        if (output != null) {
            output.await(stop.isRequested() ? STOP_OUTPUT_NANOS : OUTPUT_PATIENCE_NANOS);
        }
        if (!stayed) {
            finish(run, last, file);
        }
        if (watched) {
            exporters.linger(stop);
            exporters.close();
        }
        return status(run, last, file);
    }

    /** Writes the file and serves the sockets meanwhile; returns the durable file, null if there is none. */
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
                publisher.publish();
                sockets.poll(MILLI);
            }
        } catch (Throwable e) {
            // The thread disk writes the file without the help of this one.
            LOG.error("sockets failed while the final snapshot was written", e);
            return writer.await(FILE_PATIENCE_NANOS);
        }
        return writer.await(0);
    }

    /** Writes the files of the steady state, which takes seconds for thousands of super-passes, and serves the sockets meanwhile. */
    private void writeSteadyState(SteadyStateFiles files, Path into) {
        Thread thread = new Thread(() -> files.update(into, mode), "disk");
        thread.setDaemon(true);
        thread.start();
        try {
            while (thread.isAlive() && !stop.isOlderThan(STOP_FILE_NANOS)) {
                sockets.poll(MILLI);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("sockets failed while the steady state was written", e);
        }
    }

    /** Marks the run as finished if its file is durable, and reports the end. */
    private void finish(LiveRun run, MetricsSnapshot last, @Nullable Path file) {
        if (file != null && stop.failure() == null) {
            run.finished();
        }
        Ledger ledger = Ledger.of(last);
        Judgement.Words verdict = judgement == null ? null : judgement.await(() -> stop.isOlderThan(STOP_FILE_NANOS));
        LOG.info(
                "run ended state={} verdict={} limiting_factor=\"{}\" records_received={} applied={} set_aside={} lost={}"
                        + " final_snapshot={} bytes={}",
                last.state().wireName(),
                verdict == null ? "unknown" : verdict.validity(),
                verdict == null ? "unknown" : verdict.limitingFactor(),
                ledger.received(),
                ledger.applied(),
                ledger.setAside(),
                last.extensions().recordsLost(),
                file == null ? "NOT DURABLE" : file,
                file == null ? 0 : file.toFile().length());
    }

    private ExitStatus status(LiveRun run, MetricsSnapshot last, @Nullable Path file) {
        long afterwards = run.ingest().framesAfterwards();
        if (afterwards > 0) {
            LOG.info("frames arrived after the last snapshot, which does not include them frames={}", afterwards);
        }
        if (file == null) {
            return ExitStatus.NOT_DURABLE;
        }
        if (stop.failure() != null) {
            return ExitStatus.INTERNAL;
        }
        return stop.isStalled() ? ExitStatus.ENDPOINT_STALLED : statusOf(last, lifecycle.strict(), afterwards);
    }

    /**
     * The exit status of a run whose file is durable.
     *
     * @param strict whether a run that did not apply everything has a status of its own
     * @param framesAfterwards frames received after {@code last}
     */
    static ExitStatus statusOf(MetricsSnapshot last, boolean strict, long framesAfterwards) {
        boolean clean = Ledger.of(last).setAside() == 0
                && last.counter(CounterName.BATCHES_MALFORMED) == 0
                && last.counter(CounterName.FRAMES_TRUNCATED) == 0
                && last.counter(CounterName.PROTOCOL_ERRORS) == 0
                && framesAfterwards == 0
                && last.counter(CounterName.INFLIGHT_EVICTED) == 0;
        return strict && !clean ? ExitStatus.NOT_CLEAN : ExitStatus.DURABLE;
    }
}
