package io.metricsaggregator.run;

import io.metricsaggregator.publish.TickBudget;
import io.metricsaggregator.registry.Meter;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.storage.ValueStorage;

/** Measures the cost of the daemon itself: CPU, memory, lag and snapshots. Belongs to the main loop, except {@link #sample}. */
public final class SelfMeter {
    private static final long SAMPLE_NANOS = 900_000_000L;

    private final Meter lag;
    private final ValueStorage values;
    private final Meter lateness = new Meter();
    private final long mainLoopThreadId;
    private final TickBudget budget;
    private volatile ProcessFigures process = ProcessFigures.NONE;
    private volatile long renderNanos;
    /** Belongs to the thread {@code publish}. */
    private long sampledNanos;

    private long freezeNanos;

    /**
     * A meter without a sample.
     *
     * @param lag nanoseconds from the receipt of records to their application
     * @param mainLoopThreadId id of the main loop's thread
     */
    SelfMeter(Meter lag, ValueStorage values, TickBudget budget, long mainLoopThreadId) {
        this.lag = lag;
        this.values = values;
        this.budget = budget;
        this.mainLoopThreadId = mainLoopThreadId;
    }

    /** Samples the process at most once in 0.9 s and notes the render time in nanoseconds; called on the thread {@code publish}. */
    public void sample(long lastRenderNanos) {
        renderNanos = lastRenderNanos;
        long now = System.nanoTime();
        if (sampledNanos == 0 || now - sampledNanos > SAMPLE_NANOS) {
            sampledNanos = now;
            process = ProcessFigures.sample(mainLoopThreadId);
        }
    }

    /** Samples the process now, for the terminal snapshot. */
    void sampleLast() {
        process = ProcessFigures.sample(mainLoopThreadId);
    }

    /** Records the lateness of a tick, in nanoseconds. */
    public void ticked(long lateNanos) {
        lateness.record(lateNanos, 1);
    }

    /** Notes the nanoseconds that the copies of a snapshot took; returns whether the interval between snapshots changes. */
    public boolean taken(long nanos) {
        freezeNanos = nanos;
        return budget.spent(nanos, renderNanos);
    }

    /** Current interval between snapshots, in nanoseconds. */
    public long intervalNanos() {
        return budget.intervalNanos();
    }

    SelfCost cost(long waitingBytes, long reads) {
        ProcessFigures figures = process;
        return new SelfCost(
                lag.p50(),
                lag.p99(),
                lag.max(),
                lag.takeRecentMax(),
                reads,
                waitingBytes,
                figures.cpuNanos(),
                figures.eventsCpuNanos(),
                figures.eventsAllocatedBytes(),
                figures.gcPauses(),
                figures.gcNanos(),
                figures.heapBytes(),
                values.usedBytes(),
                values.spilledBytes(),
                figures.residentBytes(),
                budget.intervalNanos(),
                budget.lengthened(),
                lateness.p99(),
                lateness.max(),
                freezeNanos,
                renderNanos);
    }
}
