package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.TickBudget;
import io.metricsaggregator.registry.Meter;
import io.metricsaggregator.snapshot.SelfCost;
import io.metricsaggregator.storage.ValueStorage;

/** What the daemon itself costs. Belongs to the thread of the main flow, but for {@link #sample}. */
final class SelfMeter {
    private static final long SAMPLE_NANOS = 900_000_000L;

    private final Meter lag;
    private final ValueStorage values;
    private final Meter lateness = new Meter();
    private final long eventsThreadId;
    private final TickBudget budget;
    private volatile ProcessFigures process = ProcessFigures.NONE;
    private volatile long renderNanos;
    /** Of the thread that samples. */
    private long sampledNanos;

    private long freezeNanos;

    /**
     * A meter.
     *
     * @param lag from the receipt of records to their application
     * @param eventsThreadId of the thread of the main flow
     */
    SelfMeter(Meter lag, ValueStorage values, TickBudget budget, long eventsThreadId) {
        this.lag = lag;
        this.values = values;
        this.budget = budget;
        this.eventsThreadId = eventsThreadId;
    }

    /** Looks at the process, away from the main flow, and not so often that it would show there. */
    void sample(long lastRenderNanos) {
        renderNanos = lastRenderNanos;
        long now = System.nanoTime();
        if (sampledNanos == 0 || now - sampledNanos > SAMPLE_NANOS) {
            sampledNanos = now;
            process = ProcessFigures.sample(eventsThreadId);
        }
    }

    /** Looks at the process here and now, for the last time. */
    void sampleLast() {
        process = ProcessFigures.sample(eventsThreadId);
    }

    /** A tick was taken that late. */
    void ticked(long lateNanos) {
        lateness.record(lateNanos, 1);
    }

    /** A snapshot was taken; answers whether the time between them is to be another from now on. */
    boolean taken(long nanos) {
        freezeNanos = nanos;
        return budget.spent(nanos, renderNanos);
    }

    /** Time between snapshots. */
    long intervalNanos() {
        return budget.intervalNanos();
    }

    SelfCost cost(long waitingBytes, long reads) {
        ProcessFigures figures = process;
        return new SelfCost(
                lag.percentile(50),
                lag.percentile(99),
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
                lateness.percentile(99),
                lateness.max(),
                freezeNanos,
                renderNanos);
    }
}
