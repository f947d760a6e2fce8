package io.metricsaggregator.simulation.life;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.fleet.Fleet;
import io.metricsaggregator.fleet.FleetConfig;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.FaultPlan;
import io.metricsaggregator.simulation.machine.JdkCalls;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.machine.Trace;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A fleet that receives what the daemons of some lives have published, over connections that skip frames, and one of them a second time. */
final class FleetLife implements SimulatedNetwork.Wire, DaemonCalls.Surroundings {
    private static final long SECOND = 1_000_000_000L;
    /** Nodes that were killed are lost after 30 s. */
    private static final long OPERATOR_NANOS = 40 * SECOND;

    private final SplittableRandom chance;
    private final Machine machine;
    private final SimulatedDisk disk;
    private final Verdicts verdicts;
    private final FleetSums sums;
    private final List<Arrival> frames = new ArrayList<>();
    private int taken;
    private boolean ending;
    private Fleet.@Nullable End end;

    /** A frame as a node published it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Published(long atNanos, byte[] frame, boolean last) {}

    /**
     * A fleet on a machine of its own, switched on when the lives of its nodes have ended.
     *
     * @param nodes what each node has published
     */
    FleetLife(LifePlan plan, List<List<Published>> nodes, Coroutine.Factory coroutines, Trace trace) {
        this.chance = new SplittableRandom(plan.seed() * 31 + 8);
        this.machine = new Machine(
                coroutines,
                plan.seed() * 31 + 9,
                SECOND * (1 + plan.seed() % 77),
                plan.switchOneIn(),
                new FaultPlan(List.of()),
                trace);
        this.disk = new SimulatedDisk(machine);
        this.verdicts = new Verdicts(machine);
        this.sums = new FleetSums(verdicts);
        nodes.forEach(this::add);
    }

    /** Adds what a node has published in its life. */
    private void add(List<Published> node) {
        long shift = machine.now()
                + chance.nextLong(SECOND, 3 * SECOND)
                - (node.isEmpty() ? 0 : node.get(0).atNanos());
        for (Published each : node) {
            boolean skipped = !each.last() && chance.nextInt(5) == 0;
            int times = skipped ? 0 : chance.nextInt(10) == 0 ? 2 : 1;
            for (int i = 0; i < times; i++) {
                frames.add(new Arrival(each.atNanos() + shift, each.frame(), Arrival.Kind.RECORD, List.of()));
            }
        }
    }

    /** Runs the fleet until it ends; returns what it violated. */
    List<Verdicts.Violation> run() {
        frames.sort(Comparator.comparingLong(Arrival::atNanos));
        disk.addDurableFolder("fleet");
        HeldLocks.forget();
        JdkCalls.begin(disk, false);
        DaemonCalls.begin(this);
        Machine.End ended = machine.run(this::main, machine.now() + 600 * SECOND);
        verdicts.require(
                ended == Machine.End.EXITED && end == (frames.isEmpty() ? Fleet.End.NOBODY : Fleet.End.DELIVERED),
                Invariant.FLEET_ADDS_UP,
                "the fleet ended " + ended + ", " + end);
        machine.deaths().forEach(each -> verdicts.violated(Invariant.NO_SILENT_DEATH, "fleet: " + each));
        MetricsSnapshot file = Snapshots.ofJson(disk.durableContent("/fleet/final_snapshot.json"));
        if (file == null) {
            verdicts.violated(Invariant.STATUS_0_IS_DURABLE, "a power cut leaves no final file of the fleet");
        } else {
            sums.compare(file, "final file of the fleet");
        }
        return verdicts.violations();
    }

    private void main() {
        machine.start(new Thread(this::operate, "operator"));
        Endpoint input = Endpoint.parse("tcp://127.0.0.1:1", true);
        end = Fleet.run(new FleetConfig(
                "simulated",
                List.of(input),
                List.of(Endpoint.parse("tcp://127.0.0.1:2", true)),
                TransportOptions.defaults(),
                new DaemonConfig.Output(disk.getPath("/fleet"), null, DaemonConfig.Output.PRIVATE),
                DaemonConfig.Exports.NONE,
                new FleetConfig.NodeSettings(0, List.of(), 0, 30 * SECOND, 0, 100),
                SECOND / 4,
                false,
                null));
    }

    private void operate() {
        long last =
                frames.isEmpty() ? machine.now() : frames.get(frames.size() - 1).atNanos();
        long until = last + OPERATOR_NANOS;
        while (machine.now() < until) {
            machine.parkUntil(until);
        }
        machine.terminate();
    }

    @Override
    public Transport openTransport(TransportOptions options) {
        return new SimulatedNetwork(machine, this, chance.split());
    }

    @Override
    public void closed() {
        // A fleet has no ingest.
    }

    @Override
    public void recovered(RunJournal journal) {
        // A fleet has no journal.
    }

    @Override
    public @Nullable Arrival peek() {
        return taken < frames.size() ? frames.get(taken) : null;
    }

    @Override
    public void take() {
        // A node that comes once all that are known have ended, and their sums are being written, is too late.
        ending |= disk.open().stream().anyMatch(each -> each.path().contains("final_snapshot"))
                || disk.durableContent("/fleet/final_snapshot.json") != null;
        try {
            if (!ending) {
                sums.take(Snapshots.ofFrame(frames.get(taken).frame()));
            }
        } catch (MalformedMessageException e) {
            verdicts.violated(Invariant.FRAMES_ARE_READABLE, e.toString());
        }
        taken++;
    }

    @Override
    public void burst() {
        // The sums are compared when they are published.
    }

    @Override
    public void published(byte[] frame, boolean last) {
        machine.made(frame);
        try {
            sums.compare(Snapshots.ofFrame(frame), last ? "terminal snapshot of the fleet" : "snapshot of the fleet");
        } catch (MalformedMessageException e) {
            verdicts.violated(Invariant.FRAMES_ARE_READABLE, e.toString());
        }
    }
}
