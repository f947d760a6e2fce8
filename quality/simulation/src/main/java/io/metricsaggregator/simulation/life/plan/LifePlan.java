package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.simulation.machine.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that is decided about a life before it begins; the same seed gives the same plan.
 *
 * @param seed source of traffic, schedule and losses
 * @param samples number of samples that the producers send
 * @param daemon how the daemon is started
 * @param switchOneIn at one step of so many another thread may run
 * @param newFolders whether the daemon has to create its folders
 * @param runs number of runs, one after another in the same folders
 * @param fleet number of lives whose snapshots a fleet adds up, this one first; 0 for no fleet
 * @param subscribed whether subscribers connect over ZMTP
 * @param wired whether producers connect over ZMTP, and hostile peers beside them
 * @param heavy whether producers send so much that the journal writes it with direct I/O, in several blocks; if not, one life of some does so too
 * @param faults what goes wrong
 */
public record LifePlan(
        long seed,
        int samples,
        DaemonSettings daemon,
        int switchOneIn,
        boolean newFolders,
        int runs,
        int fleet,
        boolean subscribed,
        boolean wired,
        boolean heavy,
        List<Fault> faults) {

    /** What a daemon that is started beside another has in common with it. */
    public enum Shares {
        BOTH_FOLDERS,
        OUTPUT,
        JOURNAL,
        SOCKETS
    }

    public LifePlan {
        faults = List.copyOf(faults);
    }

    /** Draws a life. */
    public static LifePlan draw(long seed) {
        return PlanDraw.draw(seed);
    }

    /** Whether threads may be late by so much that no deadline holds. */
    public boolean isLate() {
        return has(Fault.Kind.PAUSE) || has(Fault.Kind.STALL);
    }

    /** Names of the folders that are there before, and that no power cut removes. */
    public List<String> durableFolders() {
        List<String> folders = new ArrayList<>(newFolders ? List.of() : List.of("out", "journal"));
        if (daemon.spills()) {
            folders.add(DaemonSettings.SPILL_FOLDER);
        }
        return folders;
    }

    /** The same life with other faults. */
    public LifePlan withFaults(List<Fault> fewer) {
        return new LifePlan(
                seed, samples, daemon, switchOneIn, newFolders, runs, fleet, subscribed, wired, heavy, fewer);
    }

    /** The same life with another number of samples. */
    public LifePlan withSamples(int fewer) {
        return new LifePlan(
                seed, fewer, daemon, switchOneIn, newFolders, runs, fleet, subscribed, wired, heavy, faults);
    }

    /** The same life with another number of runs. */
    public LifePlan withRuns(int fewer) {
        return new LifePlan(
                seed, samples, daemon, switchOneIn, newFolders, fewer, fleet, subscribed, wired, heavy, faults);
    }

    /**
     * A node of the fleet of this life: the life of a later seed, whose daemon writes, counts and keeps values as this one. A plan from a file thus has the same
     * fleet after a change of what seeds draw.
     *
     * @param number from 1
     */
    public LifePlan node(int number) {
        LifePlan drawn = draw(seed + number);
        DaemonSettings own = drawn.daemon;
        DaemonSettings alike = new DaemonSettings(
                own.syncNanos(),
                own.segmentBytes(),
                daemon.packed(),
                own.stays(),
                daemon.counters(),
                daemon.textBytes(),
                daemon.valuesBytes());
        return new LifePlan(
                drawn.seed,
                drawn.samples,
                alike,
                drawn.switchOneIn,
                drawn.newFolders,
                drawn.runs,
                0,
                drawn.subscribed,
                wired,
                heavy,
                drawn.faults);
    }

    /** Whether a fault of this kind is planned. */
    public boolean has(Fault.Kind kind) {
        return count(kind) > 0;
    }

    /** Number of planned faults of a kind. */
    public long count(Fault.Kind kind) {
        return faults.stream().filter(each -> each.kind() == kind).count();
    }
}
