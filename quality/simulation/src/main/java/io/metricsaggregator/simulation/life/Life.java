package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.daemon.Daemon;
import io.metricsaggregator.daemon.Judgement;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.DaemonSettings;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.FaultPlan;
import io.metricsaggregator.simulation.machine.Follower;
import io.metricsaggregator.simulation.machine.JdkCalls;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.machine.Trace;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Lives one plan: starts the daemon, and after each kill again, until a run has ended; checks the invariants meanwhile. */
final class Life implements SimulatedNetwork.Wire, DaemonCalls.Surroundings, Follower {
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
    private final Verdicts verdicts;
    private final Deadlines deadlines;
    private final SegmentRules segments;
    private final DaemonConfig config;
    private final ServedResult served;
    private final String outputFolder;
    private final JournalFolder journals;
    private final TextRules texts;
    private final Bounds bounds;
    private MeasuredRun measured;
    private int snapshots;
    private @Nullable SimulatedNetwork network;
    /** Whether the process discards the frames that it takes, because the terminal snapshot has been taken. */
    private boolean closed;

    private @Nullable ExitStatus status;
    private int kills;
    private int cuts;
    private @Nullable SecondDaemon second;
    /** The frames that it has published, in order. */
    final List<FleetLife.Published> published = new ArrayList<>();

    Life(LifePlan plan, Coroutine.Factory coroutines, Trace trace) {
        this.plan = plan;
        this.chance = new SplittableRandom(plan.seed());
        long startNanos = SECOND * (1 + plan.seed() % 1000);
        this.machine = new Machine(
                coroutines, plan.seed() * 31 + 7, startNanos, plan.switchOneIn(), new FaultPlan(plan.faults()), trace);
        this.disk = new SimulatedDisk(machine);
        this.verdicts = new Verdicts(machine);
        this.segments = new SegmentRules(disk, verdicts, machine, plan);
        String folder = plan.newFolders() ? "/new/folders" : "";
        this.journals = new JournalFolder(disk, folder + "/journal");
        this.texts = new TextRules(machine, verdicts, plan);
        this.bounds = new Bounds(verdicts, plan);
        this.outputFolder = folder + "/out";
        this.measured = new MeasuredRun(plan, chance, machine, disk, verdicts, texts, outputFolder);
        this.served = new ServedResult(machine, disk, verdicts, outputFolder);
        this.config = plan.daemon().config(disk, outputFolder, journals.path());
        this.deadlines = new Deadlines(machine, verdicts, config.publishing().intervalNanos());
    }

    /** Runs the life to its end, without its fleet; to be called once. */
    LifeResult run() {
        DaemonCalls.begin(this);
        machine.followedBy(this);
        ServedResult.booted(0);
        plan.durableFolders().forEach(disk::addDurableFolder);
        String end = "";
        int runs = 1;
        while (end.isEmpty() && verdicts.process() < PROCESSES_MAX) {
            end = runProcess();
            if (!end.isEmpty() && runs < plan.runs() && isFollowed()) {
                runs++;
                snapshots += measured.subscriber.snapshots();
                measured = new MeasuredRun(plan, chance, machine, disk, verdicts, texts, outputFolder);
                journals.nextRun();
                end = "";
            }
        }
        return new LifeResult(
                end,
                verdicts.violations(),
                machine.steps(),
                machine.now() - SECOND * (1 + plan.seed() % 1000),
                snapshots + measured.subscriber.snapshots(),
                kills,
                cuts,
                machine.struck(),
                machine.trace().threads(),
                machine.trace().hash());
    }

    /** Between two runs the power may be cut; returns whether the first one stays finished. */
    private boolean isFollowed() {
        boolean mustStayDone = journals.isDone() && status == ExitStatus.DURABLE && !disk.hasFailed();
        if (chance.nextBoolean()) {
            cuts++;
            machine.note("power cut between two runs");
            disk.cutPower();
            measured.file.check("after a power cut");
            MetricsSnapshot result = measured.result;
            if (result != null && plan.daemon().syncNanos() >= 0 && !disk.hasFailed()) {
                compareJournal(result);
            }
        }
        verdicts.require(
                journals.isDone() || !mustStayDone,
                Invariant.STATUS_0_IS_DURABLE,
                "a power cut after the run made it an unfinished one");
        machine.pass(chance.nextLong(MILLI, 3 * SECOND));
        return journals.isDone();
    }

    /** Runs one process; returns how the life ended, empty if it goes on. */
    private String runProcess() {
        HeldLocks.forget();
        JdkCalls.begin(disk, plan.daemon().spills());
        verdicts.beginProcess();
        measured.subscriber.beginProcess();
        measured.outages.started(machine.wallNanos());
        segments.beginProcess();
        texts.beginProcess();
        bounds.beginProcess();
        deadlines.beginProcess(plan.isLate());
        served.beginProcess();
        network = null;
        closed = true;
        status = null;
        second = null;
        Machine.End end = machine.run(this::main, machine.now() + PROCESS_MAX_NANOS);
        if (second != null) {
            second.check();
        }
        if (network != null) {
            network.ended(end == Machine.End.EXITED && status == ExitStatus.DURABLE, plan.isLate());
        }
        disk.endProcess();
        measured.promises.processEnded(machine.now());
        machine.deaths().forEach(each -> verdicts.violated(Invariant.NO_SILENT_DEATH, "thread died: " + each));
        measured.file.check("after " + end);
        return switch (end) {
            case KILLED, POWER_LOST -> killed(end == Machine.End.POWER_LOST);
            case DEADLOCKED, TIMED_OUT -> {
                verdicts.violated(Invariant.STOP_COMES_IN_TIME, "the process stands still: " + end);
                yield end.toString();
            }
            case EXITED -> exited();
        };
    }

    /** The body of the thread {@code main}. */
    private void main() {
        machine.start(new Thread(this::operate, "operator"));
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
        long lastSent = measured.traffic.get(measured.traffic.size() - 1).atNanos();
        long until = Math.max(lastSent, machine.now()) + OPERATOR_NANOS + texts.patienceNanos();
        while (machine.now() < until) {
            machine.parkUntil(until);
        }
        verdicts.require(
                !measured.hasEnded()
                        || plan.isLate()
                        || (plan.daemon().stays() && (journals.isDone() || disk.hasFailed())),
                Invariant.END_COMES_IN_TIME,
                "the session ended, and the process still runs or has not marked the run as done");
        machine.terminate();
    }

    private String killed(boolean power) {
        kills++;
        measured.outages.killed(machine.wallNanos());
        if (power) {
            cuts++;
            served.powerCut(cuts);
            measured.powerLost = true;
            measured.promises.powerCut();
            measured.outages.powerCut();
            disk.cutPower();
            measured.file.check("after a power cut");
        }
        machine.pass(chance.nextLong(MILLI, 3 * SECOND));
        if (journals.isDone()) {
            measured.file.checkDone();
            if (!plan.daemon().stays() || power || deadlines.isStopped()) {
                return "DONE-BEFORE-THE-KILL";
            }
            served.killed();
        }
        return "";
    }

    @Override
    public void switched() {
        HeldLocks.swap();
    }

    @Override
    public void hung() {
        texts.hung();
    }

    @Override
    public void duplicated(Fault fault) {
        boolean locked = disk.wasLocked(outputFolder + "/.metrics-aggregator.lock")
                && disk.wasLocked(journals.path() + "/.journal.lock");
        if (locked && second == null) {
            second = new SecondDaemon(
                    machine,
                    disk,
                    verdicts,
                    LifePlan.Shares.values()[(int) fault.nanos()],
                    () -> status == null && (network == null ? !disk.hasFailed() : !network.isClosed()));
            second.start(
                    outputFolder,
                    journals.path(),
                    (output, journal) -> plan.daemon().config(disk, output, journal));
        }
    }

    private String exited() {
        deadlines.ended();
        ExitStatus ended = status;
        boolean failed = disk.hasFailed();
        if (ended == ExitStatus.DURABLE) {
            MetricsSnapshot result = measured.file.checkDurable();
            if (result != null) {
                boolean stopped = deadlines.isStopped();
                deadlines.checkArrived(result.counter(CounterName.FRAMES_RECEIVED), measured.hasEnded());
                verdicts.require(
                        journals.isDone() || failed,
                        Invariant.STATUS_0_IS_DURABLE,
                        "status 0, and the run is not marked as done");
                measured.result = result;
                if (served.isServing()) {
                    served.ended(stopped);
                }
                measured.checkWhole(result, stopped, failed || plan.isLate());
                compareJournal(result);
                replay(result);
            }
            return "0 " + (result == null ? "" : result.state());
        }
        verdicts.require(failed || deadlines.isStoppedLate(), Invariant.STATUS_TELLS_THE_END, "status " + ended);
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

    private void compareJournal(MetricsSnapshot result) {
        new JournalFrames(measured.model, verdicts).compareCounts(journals.run(), result);
    }

    /** Computes the run again from its journal, as a process of its own, in every fourth life. */
    private void replay(MetricsSnapshot result) {
        if (plan.seed() % 4 == 0 && journals.isDone() && !disk.hasFailed() && !plan.has(Fault.Kind.HANG)) {
            Replay replay = new Replay(journals.run(), plan.daemon(), verdicts, disk::hasFailed);
            machine.run(() -> replay.compare(result), machine.now() + PROCESS_MAX_NANOS);
            disk.endProcess();
        }
    }

    @Override
    public void step(String label) {
        verdicts.step(label, disk.hasLied());
        measured.promises.failures(machine.now(), disk.failures());
        measured.file.step(label);
        segments.step(label);
        deadlines.step();
        if (label.equals("create .subscribed")) {
            measured.outages.ready(machine.now());
        }
    }

    @Override
    public void terminated() {
        SimulatedNetwork opened = network;
        int waiting = opened != null && opened.isReceiving() ? opened.readable(measured.waiting(machine.now())) : 0;
        // Before the journal was read back, nobody knows what is left of the earlier processes' frames.
        deadlines.stopRequested(opened == null ? 0 : measured.model.frames() + waiting);
    }

    @Override
    public Transport openTransport(TransportOptions options) throws IOException {
        SimulatedNetwork opened = new SimulatedNetwork(machine, this, chance.split());
        network = opened;
        opened.overZmtp(plan, options, measured, verdicts, bounds);
        return opened;
    }

    @Override
    public void closed() {
        closed = true;
    }

    @Override
    public void recovered(RunJournal journal) {
        closed = false;
        served.measures();
        measured.recovered(journal, machine, disk.hasFailed());
    }

    @Override
    public DaemonSettings settings() {
        return plan.daemon();
    }

    @Override
    public Bounds bounds() {
        return bounds;
    }

    @Override
    public @Nullable Arrival peek() {
        return measured.taken < measured.traffic.size() ? measured.traffic.get(measured.taken) : null;
    }

    @Override
    public void take() {
        Arrival frame = measured.traffic.get(measured.taken);
        measured.taken++;
        if (!closed) {
            measured.model.receive(frame);
        }
    }

    @Override
    public void burst() {
        if (!closed) {
            measured.promises.burst(machine.now(), measured.model.frames());
        }
        segments.burst();
        bounds.check();
        if (measured.hasEnded()) {
            machine.step("session-ended");
        }
    }

    @Override
    public void published(byte[] frame, boolean last) {
        machine.made(frame);
        published.add(new FleetLife.Published(machine.now(), frame, last));
        deadlines.offered(last, last || measured.hasEnded());
        MetricsSnapshot shown = measured.subscriber.receive(frame, last);
        if (shown != null && served.isServing()) {
            served.published(shown);
        } else if (shown != null) {
            measured.file.published(shown);
            if (!disk.hasFailed() && !plan.has(Fault.Kind.CLOCK_JUMP)) {
                measured.outages.check(shown);
            }
        }
    }
}
