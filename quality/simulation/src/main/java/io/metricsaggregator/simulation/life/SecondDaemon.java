package io.metricsaggregator.simulation.life;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.daemon.Daemon;
import io.metricsaggregator.daemon.Judgement;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/** A daemon that is started while another one runs, on some of its folders or sockets: it must be refused, and leave everything as it is. */
final class SecondDaemon implements DaemonCalls.Surroundings {
    /** Folders of its own, where it does not share those of the first. */
    private static final String OWN = "/second";

    private final Machine machine;
    private final SimulatedDisk disk;
    private final Verdicts verdicts;
    private final LifePlan.Shares shares;
    private final BooleanSupplier firstServes;

    /**
     * A daemon that has not been started.
     *
     * @param firstServes whether the first daemon still needs its folders
     */
    SecondDaemon(
            Machine machine,
            SimulatedDisk disk,
            Verdicts verdicts,
            LifePlan.Shares shares,
            BooleanSupplier firstServes) {
        this.machine = machine;
        this.disk = disk;
        this.verdicts = verdicts;
        this.shares = shares;
        this.firstServes = firstServes;
    }

    /**
     * Starts it.
     *
     * @param configs makes its configuration from its output folder and that of its journal
     */
    void start(String output, String journal, BiFunction<String, String, DaemonConfig> configs) {
        boolean ownOutput = shares == LifePlan.Shares.JOURNAL || shares == LifePlan.Shares.SOCKETS;
        boolean ownJournal = shares == LifePlan.Shares.OUTPUT || shares == LifePlan.Shares.SOCKETS;
        DaemonConfig config = configs.apply(ownOutput ? OWN + "/out" : output, ownJournal ? OWN + "/journal" : journal);
        disk.whenLockedByOther(this::locked);
        DaemonCalls.beginOther(this);
        machine.startOther(new Thread(() -> run(config), "main"));
    }

    private void run(DaemonConfig config) {
        ExitStatus status = Daemon.run(config, snapshot -> new Judgement.Words("VALID", "unknown"));
        verdicts.require(
                status == ExitStatus.UNAVAILABLE,
                Invariant.DUPLICATE_IS_REFUSED,
                "a second daemon that shares " + shares + " ended with " + status);
        check();
    }

    /** A lock that it gets because the first daemon has just given it up ends the experiment. */
    private void locked(Path path) {
        if (!isOwn(path)) {
            verdicts.require(
                    !firstServes.getAsBoolean(),
                    Invariant.DUPLICATE_IS_REFUSED,
                    "a second daemon got the lock " + path + ", which the first one needs");
            stop();
        }
    }

    private void stop() {
        while (true) {
            machine.parkUntil(Long.MAX_VALUE);
        }
    }

    private static boolean isOwn(Path path) {
        return path.toString().startsWith(OWN);
    }

    /** Checks what it has done to the disk so far. */
    void check() {
        for (SimulatedDisk.Touch each : disk.touched()) {
            // Making the entry of an existing folder durable changes nothing.
            verdicts.require(
                    isOwn(each.path()) || each.call().equals("force-folder"),
                    Invariant.DUPLICATE_IS_REFUSED,
                    "a second daemon that shares " + shares + " did: " + each.call() + " " + each.path());
        }
        verdicts.require(
                shares != LifePlan.Shares.SOCKETS || !isRunLeft(),
                Invariant.DUPLICATE_IS_REFUSED,
                "a second daemon without sockets left a result");
    }

    private boolean isRunLeft() {
        return disk.content(OWN + "/out/final_snapshot.json") != null || disk.content(OWN + "/out/.ready") != null;
    }

    @Override
    public Transport openTransport(TransportOptions options) {
        verdicts.require(
                shares == LifePlan.Shares.SOCKETS,
                Invariant.DUPLICATE_IS_REFUSED,
                "a second daemon that shares " + shares + " opened sockets");
        return new TakenSockets();
    }

    @Override
    public void closed() {
        // It has received nothing.
    }

    @Override
    public void recovered(RunJournal journal) {
        verdicts.require(
                shares == LifePlan.Shares.SOCKETS,
                Invariant.DUPLICATE_IS_REFUSED,
                "a second daemon that shares " + shares + " read a journal back");
    }

    /** Sockets whose addresses are in use. */
    private static final class TakenSockets implements Transport {
        private final TransportStats stats = new TransportStats();

        @Override
        public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE, "cannot bind " + endpoints + ": Address already in use");
        }

        @Override
        public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE, "cannot bind " + endpoints + ": Address already in use");
        }

        @Override
        public int poll(long timeoutNanos) {
            throw new IllegalStateException("there are no sockets");
        }

        @Override
        public void wakeup() {
            // Nobody waits.
        }

        @Override
        public TransportStats stats() {
            return stats;
        }

        @Override
        public void close(long lingerNanos) {
            // Nothing is open.
        }
    }
}
