package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.machine.Machine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Collects the violations of a life; the first of each invariant is kept. */
final class Verdicts {
    /** What a disk that lies about fsync takes away; nothing else. */
    private static final Set<Invariant> DURABLE = EnumSet.of(
            Invariant.SYNC_INTERVAL_HOLDS,
            Invariant.STATUS_0_IS_DURABLE,
            Invariant.FILE_IS_OLD_OR_NEW,
            Invariant.DONE_COMES_AFTER_THE_FILE);

    /**
     * An invariant that did not hold.
     *
     * @param what the values that contradict it
     * @param step number of the machine's step
     * @param nanos virtual time since the life's begin
     * @param process number of the process, from 1
     */
    record Violation(Invariant invariant, String what, long step, long nanos, int process) {
        @Override
        public String toString() {
            return invariant + ": " + what + " [process " + process + ", step " + step + ", " + nanos / 1_000_000
                    + " ms]";
        }
    }

    private final Machine machine;
    private final long startNanos;
    private final List<Violation> violations = new ArrayList<>();
    private Set<Invariant> excused = Set.of();
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

    /** From now on the disk keeps no promise, and neither does what depends on it. */
    void excuseDurability() {
        excused = DURABLE;
    }

    void violated(Invariant invariant, String what) {
        if (!excused.contains(invariant) && violations.stream().noneMatch(each -> each.invariant() == invariant)) {
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

    /** As {@link #require(boolean, Invariant, String)}; the words are only made when they are needed. */
    void require(boolean holds, Invariant invariant, Supplier<String> what) {
        if (!holds) {
            violated(invariant, what.get());
        }
    }

    List<Violation> violations() {
        return violations;
    }
}
