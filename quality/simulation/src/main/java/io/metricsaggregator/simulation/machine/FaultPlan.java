package io.metricsaggregator.simulation.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of one life, and how many matching steps each still lets pass. */
public final class FaultPlan {
    /** Start of the label of a reading of the clock, before the name of the thread. */
    static final String CLOCK = "clock ";

    private final List<Fault> faults;
    private final boolean atClock;
    private final int[] seen;
    private int process;

    /** A plan of which nothing has struck. */
    public FaultPlan(List<Fault> faults) {
        this.faults = List.copyOf(faults);
        this.seen = new int[faults.size()];
        this.atClock = faults.stream().anyMatch(each -> each.label().startsWith(CLOCK));
    }

    /** Whether a fault waits for readings of the clock, which are steps only then. */
    boolean isAtClock() {
        return atClock;
    }

    /** Begins the next process of the life. */
    void beginProcess() {
        process++;
    }

    /** Returns the fault that strikes at a step; null if none does. */
    @Nullable
    Fault at(String label) {
        Fault due = null;
        for (int i = 0; i < seen.length; i++) {
            Fault each = faults.get(i);
            if (each.process() == process && label.startsWith(each.label()) && ++seen[i] == each.nth() && due == null) {
                due = each;
            }
        }
        return due;
    }
}
