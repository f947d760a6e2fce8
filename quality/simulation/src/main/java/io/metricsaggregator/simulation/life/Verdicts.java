package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.machine.Machine;
import java.util.ArrayList;
import java.util.List;

/** Collects the violations of a life; the first of each invariant is kept. */
final class Verdicts {
    private final Machine machine;
    private final long startNanos;
    private final List<Violation> violations = new ArrayList<>();
    private int process;

    Verdicts(Machine machine) {
        this.machine = machine;
        this.startNanos = machine.now();
    }

    void beginProcess() {
        process++;
    }

    int process() {
        return process;
    }

    void violated(Invariant invariant, String what) {
        if (violations.stream().noneMatch(each -> each.invariant() == invariant)) {
            Violation found = new Violation(invariant, what, machine.steps(), machine.now() - startNanos, process);
            machine.remark("VIOLATION " + found);
            violations.add(found);
        }
    }

    void require(boolean holds, Invariant invariant, String what) {
        if (!holds) {
            violated(invariant, what);
        }
    }

    List<Violation> violations() {
        return violations;
    }
}
