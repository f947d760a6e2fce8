package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.Daemon;
import io.metricsaggregator.daemon.Judgement;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.FaultPlan;
import io.metricsaggregator.simulation.machine.JdkCalls;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.machine.Trace;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Lives one plan: starts the daemon, and after each kill again, until a run has ended; checks the invariants meanwhile. */
final class Life implements SimulatedNetwork.Wire, DaemonCalls.Surroundings {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long PROCESS_MAX_NANOS = 120 * SECOND;
    /** The operator stops a daemon that still runs so long after everything was sent. */
    private static final long OPERATOR_NANOS = 15 * SECOND;

    private static final int PROCESSES_MAX = 12;

    private final LifePlan plan;
    private final SplittableRandom chance;
    private final Machine machine;
    private final SimulatedDisk disk;
    private final List<Arrival> traffic;
    private final Model model;
    private final Verdicts verdicts;
    private final Subscriber subscriber;
    private final Promises promises;
    private final Deadlines deadlines;
    private final FinalFile file;
    private final DaemonConfig config;
    private final String journalFolder;
    private int taken;
    private boolean powerLost;
    private @Nullable SimulatedNetwork network;
    private @Nullable ExitStatus status;
    private int kills;
    private int cuts;

    Life(LifePlan plan, Coroutine.Factory coroutines, Trace trace) {
        this.plan = plan;
        this.chance = new SplittableRandom(plan.seed());
        long startNanos = SECOND * (1 + plan.seed() % 1000);
        this.machine = new Machine(
                coroutines, plan.seed() * 31 + 7, startNanos, plan.switchOneIn(), new FaultPlan(plan.faults()), trace);
        this.disk = new SimulatedDisk(machine);
        this.traffic = Traffic.draw(chance, startNanos, plan.samples());
        this.model = new Model(plan.samples());
        this.verdicts = new Verdicts(machine);
        this.subscriber = new Subscriber(verdicts, model);
        this.promises = new Promises(plan.syncNanos(), plan.has(Fault.Kind.PAUSE));
        String folder = plan.newFolders() ? "/new/folders" : "";
        this.journalFolder = folder + "/journal";
        this.file = new FinalFile(disk, verdicts, subscriber, folder + "/out");
        this.config = config(folder);
        this.deadlines = new Deadlines(machine, verdicts, config.publishing().intervalNanos());
    }

    private DaemonConfig config(String folder) {
        RunConfig run = RunConfig.builder().version("simulated").node("n1").build();
        Path out = disk.getPath(folder + "/out");
        return DaemonConfig.builder(
                        run,
                        new RunResources(null, 100_000, 1L << 26, null),
                        new DaemonConfig.Endpoints(
                                List.of(Endpoint.parse("tcp://127.0.0.1:1", true)),
                                List.of(Endpoint.parse("tcp://127.0.0.1:2", true)),
                                null,
                                TransportOptions.defaults()),
                        new DaemonConfig.Output(out, null, DaemonConfig.Output.PRIVATE))
                .journal(new DaemonConfig.Journal(disk.getPath(journalFolder), plan.syncNanos(), plan.segmentBytes()))
                .build();
    }

    /** Runs the life to its end; to be called once. */
    LifeResult run() {
        DaemonCalls.begin(this);
        machine.everyStep(this::check);
        machine.whenTerminated(this::terminated);
        if (!plan.newFolders()) {
            disk.addDurableFolder("out");
            disk.addDurableFolder("journal");
        }
        String end = "";
        while (end.isEmpty() && verdicts.process() < PROCESSES_MAX) {
            end = runProcess();
        }
        return new LifeResult(
                end,
                verdicts.violations(),
                machine.steps(),
                machine.now() - SECOND * (1 + plan.seed() % 1000),
                subscriber.snapshots(),
                kills,
                cuts,
                machine.trace().hash());
    }

    /** Runs one process; returns how the life ended, empty if it goes on. */
    private String runProcess() {
        HeldLocks.forget();
        JdkCalls.begin(disk);
        verdicts.beginProcess();
        subscriber.beginProcess();
        deadlines.beginProcess(plan.has(Fault.Kind.PAUSE));
        network = null;
        status = null;
        Machine.End end = machine.run(this::main, machine.now() + PROCESS_MAX_NANOS);
        disk.endProcess();
        promises.processEnded(machine.now());
        machine.deaths().forEach(each -> verdicts.violated(Invariant.NO_SILENT_DEATH, "thread died: " + each));
        file.check("after " + end);
        return switch (end) {
            case KILLED, POWER_LOST -> killed(end == Machine.End.POWER_LOST);
            case DEADLOCKED, TIMED_OUT -> stuck(end);
            case EXITED -> exited();
        };
    }

    /** The body of the thread {@code main}. */
    private void main() {
        Thread operator = new Thread(this::operate, "operator");
        machine.start(operator);
        try {
            status = Daemon.run(config, snapshot -> new Judgement.Words("VALID", "unknown"));
        } catch (RuntimeException | Error e) {
            verdicts.violated(Invariant.NO_SILENT_DEATH, "the main loop ended by " + e);
            machine.remark(Arrays.toString(e.getStackTrace()));
            status = ExitStatus.INTERNAL;
        }
    }

    /** The body of a thread that stops the daemon when nothing more will come. */
    private void operate() {
        long lastSent = traffic.get(traffic.size() - 1).atNanos();
        long until = Math.max(lastSent, machine.now()) + OPERATOR_NANOS;
        while (machine.now() < until) {
            machine.parkUntil(until);
        }
        verdicts.require(
                !model.after(model.frames()).ended() || plan.has(Fault.Kind.PAUSE),
                Invariant.END_COMES_IN_TIME,
                "the session ended, and the process still runs");
        machine.terminate();
    }

    private String stuck(Machine.End end) {
        verdicts.violated(Invariant.STOP_COMES_IN_TIME, "the process stands still: " + end);
        return end.toString();
    }

    private String killed(boolean power) {
        kills++;
        if (power) {
            cuts++;
            powerLost = true;
            promises.powerCut();
            disk.cutPower();
            file.check("after a power cut");
        }
        machine.pass(chance.nextLong(MILLI, 3 * SECOND));
        if (isDone()) {
            file.checkDone();
            return "DONE-BEFORE-THE-KILL";
        }
        return "";
    }

    private boolean isDone() {
        return disk.content(journalFolder + "/" + lastRun() + "/done") != null;
    }

    /** Name of the newest run's folder; empty if there is none. */
    private String lastRun() {
        return disk.names(journalFolder).stream()
                .filter(name -> name.startsWith("run-"))
                .reduce("", (one, other) -> other);
    }

    private String exited() {
        deadlines.ended();
        ExitStatus ended = status;
        boolean failed = disk.hasFailed();
        if (ended == ExitStatus.DURABLE) {
            MetricsSnapshot result = file.checkDurable();
            if (result != null) {
                boolean stopped = deadlines.isStopped();
                verdicts.require(
                        stopped || result.state() == SessionState.COMPLETE,
                        Invariant.STATES_GO_FORWARD,
                        "without a signal the run ended " + result.state());
                deadlines.checkArrived(
                        result.counter(CounterName.FRAMES_RECEIVED),
                        model.after(model.frames()).ended());
                replay(result);
            }
            return "0 " + (result == null ? "" : result.state());
        }
        verdicts.require(failed, Invariant.STATUS_TELLS_THE_END, "status " + ended + " without a fault");
        if (ended == ExitStatus.NOT_DURABLE) {
            verdicts.require(
                    Snapshots.ofJson(JdkCalls.console()) != null,
                    Invariant.STATUS_TELLS_THE_END,
                    "no durable file, and no snapshot on standard output");
            return "NOT_DURABLE";
        }
        machine.pass(SECOND);
        return failed ? "" : String.valueOf(ended);
    }

    /** Computes the run again from its journal, as a process of its own, in every fourth life. */
    private void replay(MetricsSnapshot result) {
        if (plan.seed() % 4 == 0 && isDone() && !disk.hasFailed()) {
            Replay replay = new Replay(disk.getPath(journalFolder, lastRun()), verdicts);
            machine.run(() -> replay.compare(result), machine.now() + PROCESS_MAX_NANOS);
        }
    }

    /** At every step. */
    private void check(String label) {
        promises.failures(machine.now(), disk.failures());
        file.step(label);
        deadlines.step();
    }

    private void terminated() {
        SimulatedNetwork sockets = network;
        int waiting = 0;
        while (sockets != null
                && sockets.isReceiving()
                && taken + waiting < traffic.size()
                && traffic.get(taken + waiting).atNanos() <= machine.now()) {
            waiting++;
        }
        // Before the journal was read back, nobody knows what is left of the earlier processes' frames.
        deadlines.stopRequested(sockets == null ? 0 : model.frames() + waiting);
    }

    @Override
    public Transport openTransport() {
        SimulatedNetwork opened = new SimulatedNetwork(machine, this, chance.split());
        network = opened;
        return opened;
    }

    @Override
    public void recovered(RunJournal journal) {
        RecoveredJournal read = RecoveredJournal.of(journal);
        machine.note("recovered " + read.frames());
        boolean lossAllowed = powerLost || disk.hasFailed();
        verdicts.require(
                read.frames() >= promises.owed(),
                Invariant.SYNC_INTERVAL_HOLDS,
                read.frames() + " frames are left, " + promises.owed() + " were older than two sync intervals");
        verdicts.require(
                lossAllowed || read.frames() >= subscriber.shownFrames(),
                Invariant.SHOWN_SURVIVES_A_KILL,
                read.frames() + " frames were read back, " + subscriber.shownFrames() + " had been shown");
        if (lossAllowed) {
            subscriber.forgiveLoss();
        }
        powerLost = false;
        new JournalFrames(model, verdicts).compare(read.frames() == 0 ? null : journal.folder(), !lossAllowed);
        promises.recovered(machine.now(), model.frames());
    }

    @Override
    public @Nullable Arrival peek() {
        return taken < traffic.size() ? traffic.get(taken) : null;
    }

    @Override
    public void take() {
        model.receive(traffic.get(taken));
        taken++;
    }

    @Override
    public void burst() {
        promises.burst(machine.now(), model.frames());
        if (model.after(model.frames()).ended()) {
            machine.step("session-ended");
        }
    }

    @Override
    public void published(byte[] frame, boolean last) {
        machine.made(frame);
        deadlines.offered(last || model.after(model.frames()).ended());
        subscriber.receive(frame, last);
    }
}
