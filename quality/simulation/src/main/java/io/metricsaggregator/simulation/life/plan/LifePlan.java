package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.simulation.machine.Fault;
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

    /** The same life with other faults. */
    public LifePlan withFaults(List<Fault> fewer) {
        return new LifePlan(seed, samples, daemon, switchOneIn, newFolders, runs, fleet, subscribed, fewer);
    }

    /** The same life with another number of samples. */
    public LifePlan withSamples(int fewer) {
        return new LifePlan(seed, fewer, daemon, switchOneIn, newFolders, runs, fleet, subscribed, faults);
    }

    /** The same life with another number of runs. */
    public LifePlan withRuns(int fewer) {
        return new LifePlan(seed, samples, daemon, switchOneIn, newFolders, fewer, fleet, subscribed, faults);
    }

    /** The same life, and no fleet after it. */
    public LifePlan withoutFleet() {
        return new LifePlan(seed, samples, daemon, switchOneIn, newFolders, runs, 0, subscribed, faults);
    }

    /** Whether a fault of this kind is planned. */
    public boolean has(Fault.Kind kind) {
        return faults.stream().anyMatch(each -> each.kind() == kind);
    }
}
