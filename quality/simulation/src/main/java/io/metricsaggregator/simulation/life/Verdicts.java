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

    /** What a skipped frame takes away: a frame at which the daemon was killed twice while it read it back counts as one that kills it. */
    private static final Set<Invariant> OF_FRAMES = EnumSet.of(
            Invariant.COUNTERS_NEVER_FALL,
            Invariant.FIGURES_EQUAL_THE_MODEL,
            Invariant.TEXTS_ARE_COUNTED,
            Invariant.LOST_RECORDS_LEAVE_GAPS,
            Invariant.STATES_GO_FORWARD,
            Invariant.LOST_END_IS_NOT_MADE_UP,
            Invariant.MISSED_FRAMES_ARE_COUNTED,
            Invariant.ARRIVED_BEFORE_THE_SIGNAL,
            Invariant.END_COMES_IN_TIME);

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
    private final Set<Invariant> excused = EnumSet.noneOf(Invariant.class);
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

    /**
     * The machine takes a step, before which something may have happened that promises depend on.
     *
     * @param lied whether the disk has not kept what it said it had: from then on nothing is durable
     */
    void step(String label, boolean lied) {
        if (lied) {
            excused.addAll(DURABLE);
        }
        if (label.equals("create skipped-frames")) {
            excused.addAll(OF_FRAMES);
        }
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
