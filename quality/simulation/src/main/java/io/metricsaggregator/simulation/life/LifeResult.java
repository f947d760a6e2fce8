package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.machine.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a life went.
 *
 * @param end how its last process ended, in words
 * @param violations the first violation of each invariant that did not hold
 * @param steps steps of the machine
 * @param nanos virtual time that passed
 * @param snapshots snapshots compared
 * @param kills kills, power cuts included
 * @param cuts power cuts
 * @param faults faults that struck, by kind
 * @param threads names of the threads that ran
 * @param hash of every step, time and published byte
 */
record LifeResult(
        String end,
        List<Verdicts.Violation> violations,
        long steps,
        long nanos,
        int snapshots,
        int kills,
        int cuts,
        Map<Fault.Kind, Integer> faults,
        Set<String> threads,
        long hash) {

    /** This life with the fleet that followed it. */
    LifeResult with(List<Verdicts.Violation> ofFleet, long hashWithFleet) {
        List<Verdicts.Violation> all = new ArrayList<>(violations);
        all.addAll(ofFleet);
        return new LifeResult(end, all, steps, nanos, snapshots, kills, cuts, faults, threads, hashWithFleet);
    }

    /** Whether an invariant was violated. */
    boolean violates(Invariant invariant) {
        return violations.stream().anyMatch(each -> each.invariant() == invariant);
    }
}
