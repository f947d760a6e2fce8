package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.machine.JdkCalls;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The result of a run with {@code --after-end stay}: served by the process that measured it, and by those that replace a killed one. */
final class ServedResult {
    private static final String HOSTNAME = "/proc/sys/kernel/hostname";
    private static final String BOOT = "/proc/sys/kernel/random/boot_id";
    /** Files of the host: constants of the daemon's classes hold paths to them, whichever life loaded these first. */
    private static @Nullable SimulatedDisk host;

    private final SimulatedDisk disk;
    private final Verdicts verdicts;
    private final String file;
    private final String marker;
    private boolean owed;
    private boolean measures;
    private byte @Nullable [] before;
    private boolean published;

    ServedResult(Machine machine, SimulatedDisk disk, Verdicts verdicts, String folder) {
        host(machine);
        this.disk = disk;
        this.verdicts = verdicts;
        this.file = folder + "/final_snapshot.json";
        this.marker = folder + "/.finished";
    }

    private static void host(Machine machine) {
        if (host == null) {
            host = new SimulatedDisk(machine);
            host.put(HOSTNAME, "simulated\n".getBytes(StandardCharsets.US_ASCII));
            JdkCalls.host(host);
        }
    }

    /** The machine has started for the {@code boot}-th time. */
    static void booted(int boot) {
        if (host != null) {
            host.put(BOOT, ("boot " + boot + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Power was lost, for the {@code cuts}-th time: what a lying disk had not kept is not owed. */
    void powerCut(int cuts) {
        booted(cuts);
        owed &= !disk.hasLied();
    }

    /** The process that served, or was about to, was killed after it had marked the run as done. */
    void killed() {
        owed = !disk.hasFailed();
    }

    /** Whether the next process has to serve. */
    boolean isOwed() {
        return owed;
    }

    void beginProcess() {
        measures = false;
        published = false;
        before = disk.content(file);
    }

    /** The process measures a run. */
    void measures() {
        measures = true;
        verdicts.require(
                !owed, Invariant.RESULT_IS_SERVED, "a killed process had a result to serve, and the next one measures");
        owed = false;
    }

    boolean isServing() {
        return !measures;
    }

    /** A process that measures nothing has published. */
    void published(MetricsSnapshot shown) {
        published = true;
        MetricsSnapshot there = Snapshots.ofJson(before);
        verdicts.require(
                there != null
                        && there.counter() == shown.counter()
                        && there.state() == shown.state()
                        && there.counters().equals(shown.counters())
                        && Snapshots.runId(there).equals(Snapshots.runId(shown)),
                Invariant.RESULT_IS_SERVED,
                "what is served is not what the file has: " + shown.counter() + " " + shown.state());
    }

    /** A process that measured nothing has ended with status 0. */
    void ended(boolean stopped) {
        owed = false;
        verdicts.require(published, Invariant.RESULT_IS_SERVED, "a process neither measured nor served");
        verdicts.require(stopped, Invariant.RESULT_IS_SERVED, "a process that serves a result ended by itself");
        verdicts.require(
                Arrays.equals(before, disk.content(file)),
                Invariant.RESULT_IS_SERVED,
                "a process that serves a result changed its file");
        verdicts.require(
                disk.content(marker) == null || disk.hasFailed(),
                Invariant.RESULT_IS_SERVED,
                "after SIGTERM the next daemon would serve the result again");
    }
}
