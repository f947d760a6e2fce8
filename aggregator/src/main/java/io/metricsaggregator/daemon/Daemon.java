package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.export.PrometheusServer;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.publish.FileErrors;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.LockFile;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process around the main flow: starts the thread {@code main-loop}, handles signals, and supervises on the thread {@code main}. A
 * daemon that is asked to stop ends within 4.7 s, because its parent may kill it after 5 s.
 */
public final class Daemon {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
    private static final long STOP_DEADLINE_NANOS = 4_000_000_000L;
    /** Time for writing the last rendered snapshot after a missed stop deadline. */
    private static final long LAST_DEADLINE_NANOS = 700_000_000L;

    private final DaemonConfig config;
    private final Function<MetricsSnapshot, Judgement.Words> judge;
    private final StopRequest stop = new StopRequest();
    private final Supervision supervision;
    /** Released by a stop request, and by the end of the main loop. */
    private final CountDownLatch stopOrEnd = new CountDownLatch(1);
    /** Released by the end of the main loop. */
    private final CountDownLatch end = new CountDownLatch(1);

    private final @Nullable ParentProcess parent;
    private volatile @Nullable ExitStatus status;
    private volatile @Nullable Throwable broken;

    private Daemon(
            DaemonConfig config, Function<MetricsSnapshot, Judgement.Words> judge, @Nullable ParentProcess parent) {
        this.config = config;
        this.judge = judge;
        this.parent = parent;
        this.supervision = new Supervision(config.lifecycle().stallTimeoutNanos());
    }

    /**
     * Runs the daemon on a thread of its own and waits for its end.
     *
     * @param judge reaches the verdict that the last line of the log names; called once the final file is durable, on a thread of its own
     * @return the exit status of the process
     * @throws RuntimeException if the main loop ended by it; the caller prints it. The same for an {@link Error}
     */
    public static ExitStatus run(DaemonConfig config, Function<MetricsSnapshot, Judgement.Words> judge) {
        Daemon daemon = new Daemon(config, judge, config.lifecycle().exitWithParent() ? ParentProcess.atStart() : null);
        try {
            Signals.handle(daemon::requestStop, interactive(config.lifecycle()));
        } catch (IllegalStateException e) {
            LOG.error("{}", e.getMessage());
            return ExitStatus.USAGE;
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
            daemon.supervision.giveMemoryBack();
            LOG.error("thread died name={}", thread.getName(), cause);
            daemon.stop.fail(cause);
        });
        new Thread(daemon::runMainLoop, "main-loop").start();
        return daemon.await();
    }

    /**
     * Removes {@code .ready} and {@code .subscribed} that a daemon left when it ended. To be called before a start that takes time, such
     * as loading a tokenizer. Does nothing while another daemon uses the directory.
     *
     * @param outputDirectory need not exist
     */
    public static void removeStaleSignals(Path outputDirectory) {
        OutputDirectory.removeStaleSignals(outputDirectory);
    }

    private static Signals.Interactive interactive(DaemonConfig.Lifecycle lifecycle) {
        if (lifecycle.foreground()) {
            return Signals.Interactive.INTERRUPTS;
        }
        return lifecycle.mlcommons() ? Signals.Interactive.IGNORED : Signals.Interactive.SECOND_INTERRUPTS;
    }

    private void requestStop() {
        stop.signal();
        stopOrEnd.countDown();
    }

    private void runMainLoop() {
        try {
            status = open();
        } catch (RuntimeException | Error e) {
            // The thread main rethrows it: printed by this thread, it could come after the process has ended.
            supervision.giveMemoryBack();
            broken = e;
        } finally {
            end.countDown();
            stopOrEnd.countDown();
        }
    }

    /** Locks the output directory and removes {@code .ready} first: recovery of a journal may take long. */
    private ExitStatus open() {
        try (OutputDirectory directory = OutputDirectory.open(config.output().directory())) {
            boolean stays = config.lifecycle().afterEnd() == DaemonConfig.AfterEnd.STAY;
            FinishedRun finished = stays ? FinishedRun.find(directory.path(), config.output(), config.journal()) : null;
            return finished == null
                    ? openRun(directory)
                    : open(sockets -> new RestartAfterEnd(config, stop).serve(finished, directory, sockets));
        } catch (OutputDirectory.UnsafeException e) {
            LOG.error("{}", e.getMessage());
            return ExitStatus.USAGE;
        } catch (LockFile.HeldException e) {
            LOG.error("cannot use the output directory {}: {}", config.output().directory(), e.getMessage());
            return ExitStatus.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("cannot start the daemon: {}", FileErrors.words(e));
            return ExitStatus.UNAVAILABLE;
        }
    }

    private ExitStatus openRun(OutputDirectory directory) {
        DaemonConfig.Journal wanted = config.journal();
        try (RunJournal journal = RunJournal.open(wanted, config.run(), stop::isRequested)) {
            RunAssembler runs = new RunAssembler(config.run(), config.resources(), System::nanoTime);
            LiveRun run = runs.live(config.publishing().intervalNanos(), journal);
            return open(sockets -> begin(runs, run, journal, directory, sockets).run());
        } catch (LockFile.HeldException e) {
            LOG.error("cannot use the journal {}: {}", wanted == null ? "" : wanted.directory(), e.getMessage());
            return ExitStatus.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("cannot use the journal: {}", FileErrors.words(e));
            return ExitStatus.UNAVAILABLE;
        }
    }

    private Aggregator begin(
            RunAssembler runs, LiveRun run, RunJournal journal, OutputDirectory directory, Transport sockets)
            throws IOException {
        try {
            return new AggregatorAssembler(config, stop, supervision, judge).open(runs, run, directory, sockets);
        } catch (IOException e) {
            journal.abandon();
            throw e;
        }
    }

    /** Limits connections so that descriptors are left for everything else. */
    private TransportOptions transportOptions() {
        int wanted = config.endpoints().transport().connectionsMax();
        int exporters = config.exports().prometheus() == null ? 0 : PrometheusServer.CONNECTIONS_MAX;
        int others = exporters + config.collection().scrapes().size();
        return config.endpoints().transport().withConnectionsMax(Descriptors.connections(wanted, others));
    }

    /** What the main loop does with open sockets. */
    private interface MainFlow {
        ExitStatus run(Transport sockets) throws IOException;
    }

    private ExitStatus open(MainFlow flow) {
        try (Transport sockets = Transports.open(transportOptions())) {
            stop.wakes(sockets::wakeup);
            return flow.run(sockets);
        } catch (TransportException e) {
            LOG.error("{}", e.getMessage());
            return e.reason() == TransportException.Reason.UNSAFE ? ExitStatus.USAGE : ExitStatus.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("cannot start the daemon: {}", FileErrors.words(e));
            return ExitStatus.UNAVAILABLE;
        }
    }

    private void rethrow() {
        Throwable cause = broken;
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Waits until the main loop has ended, or is stuck, or does not stop in time. */
    private ExitStatus await() {
        try {
            if (!awaitStopOrEnd() || !awaitEnd()) {
                return ExitStatus.INTERNAL;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rethrow();
        ExitStatus ended = status;
        return ended == null ? ExitStatus.INTERNAL : ended;
    }

    /** Waits for a stop request or the end, and checks the threads and the parent once a second; false if the main loop is stuck. */
    private boolean awaitStopOrEnd() throws InterruptedException {
        while (!stopOrEnd.await(Supervision.CHECK_NANOS, TimeUnit.NANOSECONDS)) {
            Thread stuck = supervision.check(System.nanoTime());
            if (stuck != null) {
                supervision.explain(stuck);
                supervision.writeLastShown(STOP_DEADLINE_NANOS);
                return false;
            }
            checkRenderer();
            checkParent();
        }
        return true;
    }

    private void checkRenderer() {
        String reason = supervision.rendererStuck();
        if (reason != null) {
            LOG.error("{}", reason);
            stop.fail(new IllegalStateException(reason));
        }
    }

    private void checkParent() {
        if (parent != null && parent.isGone()) {
            LOG.warn("parent process ended pid={}: the daemon stops", parent.pid());
            requestStop();
        }
    }

    /** Waits for the end of the main loop, after a stop request or the end; false if the loop does not end in time. */
    private boolean awaitEnd() throws InterruptedException {
        if (end.await(STOP_DEADLINE_NANOS, TimeUnit.NANOSECONDS)) {
            return true;
        }
        LOG.error("daemon did not stop in time");
        Thread stuck = supervision.watched();
        if (stuck != null) {
            supervision.explain(stuck);
            supervision.writeLastShown(LAST_DEADLINE_NANOS);
        }
        return false;
    }
}
