package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Machine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules of the files that a process has open and writes, checked at every step. */
final class SegmentRules {
    /** A lock of each folder, and what a call has open for its own length. */
    private static final int OTHERS_MAX = 4;
    /** The thread that fsyncs may be late by the steps of the others. */
    private static final long SCHEDULING_NANOS = 50_000_000L;

    private static final String FORCE = "force segment-";
    private static final String WRITE = "write segment-";

    private final SimulatedDisk disk;
    private final Verdicts verdicts;
    private final Machine machine;
    private final long closedNanos;
    /** Bursts received when the fsync of a segment failed, by the number in its name. */
    private final Map<String, Integer> failed = new HashMap<>();

    private int failuresSeen;
    private int bursts;

    SegmentRules(SimulatedDisk disk, Verdicts verdicts, Machine machine, LifePlan plan) {
        this.disk = disk;
        this.verdicts = verdicts;
        this.machine = machine;
        this.closedNanos =
                plan.isLate() ? Long.MAX_VALUE : 2 * Math.max(0, plan.daemon().syncNanos()) + SCHEDULING_NANOS;
    }

    void beginProcess() {
        failed.clear();
        failuresSeen = disk.failures().size();
    }

    /** The process has ended a burst. */
    void burst() {
        bursts++;
        checkOpen();
    }

    void step(String label) {
        List<String> failures = disk.failures();
        for (; failuresSeen < failures.size(); failuresSeen++) {
            String call = failures.get(failuresSeen);
            if (call.startsWith(FORCE)) {
                failed.putIfAbsent(call.substring(FORCE.length()), bursts);
            }
        }
        if (!failed.isEmpty() && label.startsWith(WRITE)) {
            int then = failed.getOrDefault(label.substring(WRITE.length()), bursts);
            verdicts.require(
                    bursts - then <= 2,
                    Invariant.FAILED_FSYNC_ENDS_A_SEGMENT,
                    label + ", " + (bursts - then) + " bursts after its fsync failed");
        }
    }

    /** Full segments and their folder are closed by the thread that fsyncs them. */
    private void checkOpen() {
        int others = 0;
        SimulatedDisk.Open before = null;
        for (SimulatedDisk.Open each : disk.open()) {
            boolean ofJournal = each.path().contains("/run-");
            others += ofJournal ? 0 : 1;
            if (ofJournal && before != null) {
                verdicts.require(
                        machine.now() - each.sinceNanos() <= closedNanos,
                        Invariant.FILES_ARE_CLOSED,
                        before.path() + " is still open, and the next one since " + each.sinceNanos());
            }
            before = ofJournal ? each : before;
        }
        verdicts.require(others <= OTHERS_MAX, Invariant.FILES_ARE_CLOSED, others + " are open: " + disk.open());
    }
}
