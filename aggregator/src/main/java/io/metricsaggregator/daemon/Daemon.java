package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.export.PrometheusServer;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.transport.LockFile;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process around the main flow: its thread, signals, and the barrier {@code main} waits at. A parent that asks the daemon to
 * stop kills it after five seconds; it never takes more than four.
 */
public final class Daemon {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
    private static final long STOP_DEADLINE_NANOS = 4_000_000_000L;
    /** For what is left to be done when that is over. */
    private static final long LAST_DEADLINE_NANOS = 700_000_000L;

    private enum Happened {
        STOP_REQUESTED,
        ENDED
    }

    private final DaemonConfig config;
    private final StopRequest stop = new StopRequest();
    private final Supervision supervision;
    private final BlockingQueue<Happened> barrier = new LinkedBlockingQueue<>();
    private final @Nullable ParentProcess parent;
    private volatile @Nullable ExitStatus status;
    private volatile @Nullable Throwable broken;

    private Daemon(DaemonConfig config, @Nullable ParentProcess parent) {
        this.config = config;
        this.parent = parent;
        this.supervision = new Supervision(config.lifecycle().stallTimeoutNanos());
    }

    /**
     * Runs the daemon on a thread of its own and waits for its end.
     *
     * @return what the process's exit status is to be
     * @throws RuntimeException or Error, what the main flow did not catch: the caller prints it
     */
    public static ExitStatus run(DaemonConfig config) {
        Daemon daemon = new Daemon(config, config.lifecycle().exitWithParent() ? ParentProcess.atStart() : null);
        try {
            Signals.handle(daemon::requestStop, interactive(config.lifecycle()));
        } catch (IllegalStateException e) {
            LOG.error("{}", e.getMessage());
            return ExitStatus.USAGE;
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
            daemon.supervision.giveMemoryBack();
            LOG.error("thread {} died", thread.getName(), cause);
            daemon.stop.fail(cause);
        });
        new Thread(daemon::runMainLoop, "main-loop").start();
        return daemon.await();
    }

    private static Signals.Interactive interactive(DaemonConfig.Lifecycle lifecycle) {
        if (lifecycle.foreground()) {
            return Signals.Interactive.INTERRUPTS;
        }
        return lifecycle.mlcommons() ? Signals.Interactive.IGNORED : Signals.Interactive.SECOND_INTERRUPTS;
    }

    private void requestStop() {
        stop.signal();
        barrier.add(Happened.STOP_REQUESTED);
    }

    private void runMainLoop() {
        try {
            status = open();
        } catch (RuntimeException | Error e) {
            // The thread main says it and ends the process; an exception that ends this thread could come too late to
            // be printed.
            supervision.giveMemoryBack();
            broken = e;
        } finally {
            barrier.add(Happened.ENDED);
        }
    }

    private ExitStatus open() {
        DaemonConfig.Journal wanted = config.journal();
        try (RunJournal journal = wanted == null ? null : RunJournal.open(wanted, config.run())) {
            RunAssembler runs = new RunAssembler(config.run(), config.resources(), System::nanoTime);
            return open(runs, runs.live(config.publishing().intervalNanos(), journal));
        } catch (LockFile.HeldException e) {
            LOG.error("journal {} is {}", wanted == null ? "" : wanted.directory(), e.getMessage());
            return ExitStatus.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("the journal cannot be used: {}", FileErrors.words(e));
            return ExitStatus.UNAVAILABLE;
        }
    }

    /** Limits connections so that descriptors are left for everything else. */
    private TransportOptions transportOptions() {
        int wanted = config.endpoints().transport().connectionsMax();
        int exporters = config.exports().prometheus() == null ? 0 : PrometheusServer.CONNECTIONS_MAX;
        int others = exporters + config.collection().scrapes().size();
        return config.endpoints().transport().withConnectionsMax(Descriptors.connections(wanted, others));
    }

    private ExitStatus open(RunAssembler runs, LiveRun run) {
        try (OutputDirectory directory = OutputDirectory.open(config.output().directory(), run.id());
                Transport sockets = Transports.open(transportOptions())) {
            stop.wakes(sockets::wakeup);
            return new AggregatorAssembler(config, stop, supervision)
                    .assemble(runs, run, directory, sockets)
                    .run();
        } catch (TransportException e) {
            LOG.error("{}", e.getMessage());
            return e.reason() == TransportException.Reason.UNSAFE ? ExitStatus.USAGE : ExitStatus.UNAVAILABLE;
        } catch (OutputDirectory.UnsafeException e) {
            LOG.error("{}", e.getMessage());
            return ExitStatus.USAGE;
        } catch (LockFile.HeldException e) {
            LOG.error("output directory {} is {}", config.output().directory(), e.getMessage());
            return ExitStatus.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("cannot go on: {}", FileErrors.words(e));
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

    private ExitStatus await() {
        try {
            Happened happened = barrier.poll(Supervision.CHECK_NANOS, TimeUnit.NANOSECONDS);
            while (happened == null) {
                Thread stuck = supervision.check(System.nanoTime());
                if (stuck != null) {
                    supervision.explain(stuck);
                    supervision.writeLastShown(STOP_DEADLINE_NANOS);
                    return ExitStatus.INTERNAL;
                }
                String broken = supervision.rendererStuck();
                if (broken != null) {
                    LOG.error("{}", broken);
                    stop.fail(new IllegalStateException(broken));
                }
                if (parent != null && parent.isGone()) {
                    LOG.warn("the parent process ended, which interrupts the run pid={}", parent.pid());
                    requestStop();
                }
                happened = barrier.poll(Supervision.CHECK_NANOS, TimeUnit.NANOSECONDS);
            }
            long start = System.nanoTime();
            while (happened != Happened.ENDED) {
                long left = STOP_DEADLINE_NANOS - (System.nanoTime() - start);
                happened = barrier.poll(left, TimeUnit.NANOSECONDS);
                if (happened == null) {
                    LOG.error("the daemon did not stop in time");
                    Thread stuck = supervision.watched();
                    if (stuck != null) {
                        supervision.explain(stuck);
                        supervision.writeLastShown(LAST_DEADLINE_NANOS);
                    }
                    return ExitStatus.INTERNAL;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rethrow();
        ExitStatus ended = status;
        return ended == null ? ExitStatus.INTERNAL : ended;
    }
}
