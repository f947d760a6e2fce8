package io.metricsaggregator.simulation.life;

import java.util.ArrayList;
import java.util.List;

/** What the journal owes after a power cut: the frames of bursts that ended two sync intervals before it, until a call of the disk fails. */
final class Promises {
    /** The thread that fsyncs may be late by the steps of the others. */
    private static final long SCHEDULING_NANOS = 5_000_000L;
    /** A burst that ended so shortly before a failed write may be among the bytes of that write. */
    private static final long LINGER_NANOS = 6_000_000L;

    private final long syncNanos;
    private final List<Burst> bursts = new ArrayList<>();
    private boolean excused;
    private int failuresSeen;
    private long steppedNanos;
    /** Bursts that ended later may have been lost by a failed write. */
    private long failedNanos = Long.MAX_VALUE;

    private long writerEndedNanos;
    private boolean written;
    private int owed;

    private record Burst(long endNanos, int frames) {}

    /**
     * Promises of a journal that nobody has written.
     *
     * @param syncNanos as of {@code --journal-sync}
     * @param excused whether nothing is promised, because the process may stand still
     * @param failures calls of the disk that failed before
     */
    Promises(long syncNanos, boolean excused, int failures) {
        this.failuresSeen = failures;
        this.syncNanos = syncNanos;
        this.excused = excused;
    }

    /** A process has read {@code frames} frames back, fsynced them and will write the next. */
    void recovered(long nowNanos, int frames) {
        bursts.clear();
        bursts.add(new Burst(nowNanos - 2 * Math.max(0, syncNanos) - SCHEDULING_NANOS, frames));
        written = true;
        owed = 0;
    }

    /** A burst has ended with {@code frames} frames in all. */
    void burst(long nowNanos, int frames) {
        bursts.add(new Burst(nowNanos, frames));
    }

    /** Calls of the disk that have failed until this step: a failed write excuses what came after the step before, any other call everything. */
    void failures(long nowNanos, List<String> calls) {
        for (; failuresSeen < calls.size(); failuresSeen++) {
            String call = calls.get(failuresSeen);
            if (call.startsWith("write segment")) {
                failedNanos = Math.min(failedNanos, steppedNanos);
            } else if (!call.contains("final_snapshot")) {
                excused = true;
            }
        }
        steppedNanos = nowNanos;
    }

    /** The process has ended, whichever way. */
    void processEnded(long nowNanos) {
        if (written) {
            writerEndedNanos = nowNanos;
        }
        written = false;
    }

    /** The power was cut at the end of the process that ended last. */
    void powerCut() {
        if (syncNanos < 0 || excused) {
            return;
        }
        long slack = syncNanos == 0 ? 0 : 2 * syncNanos + SCHEDULING_NANOS;
        for (Burst each : bursts) {
            if (each.endNanos <= writerEndedNanos - slack && each.endNanos < failedNanos - LINGER_NANOS) {
                owed = Math.max(owed, each.frames);
            }
        }
    }

    /** Frames that must be read back now; 0 without a power cut. */
    int owed() {
        return owed;
    }
}
