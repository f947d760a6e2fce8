package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;

/** The counters of the load generator's events, with the names and in the order of MLCommons endpoints. Belongs to the thread of the fold. */
public final class LoadgenCounters {
    public final LongCounter totalIssued;
    public final LongCounter totalCompleted;
    public final LongCounter totalFailed;
    public final LongCounter trackedIssued;
    public final LongCounter trackedCompleted;
    public final LongCounter trackedFailed;
    public final LongCounter trackedDurationNanos;
    public final LongCounter loadgenWindowNanos;
    final LongCounter totalDurationNanos;

    private final LongCounter[] finishReasons;

    public LoadgenCounters(Registry registry) {
        totalIssued = registry.counter(CounterName.TOTAL_SAMPLES_ISSUED);
        totalCompleted = registry.counter(CounterName.TOTAL_SAMPLES_COMPLETED);
        totalFailed = registry.counter(CounterName.TOTAL_SAMPLES_FAILED);
        trackedIssued = registry.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        trackedCompleted = registry.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        trackedFailed = registry.counter(CounterName.TRACKED_SAMPLES_FAILED);
        FinishReason[] reasons = FinishReason.values();
        finishReasons = new LongCounter[reasons.length];
        for (FinishReason reason : reasons) {
            finishReasons[reason.ordinal()] = registry.counter(CounterName.ofFinishReason(reason));
        }
        trackedDurationNanos = registry.counter(CounterName.TRACKED_DURATION_NS);
        loadgenWindowNanos = registry.counter(CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS);
        totalDurationNanos = registry.counter(CounterName.TOTAL_DURATION_NS);
    }

    /** Extends the duration of a session to an event, if it is the latest so far. */
    public void extendDuration(long begunNanos, long now) {
        if (TimestampMath.fits(begunNanos, now)) {
            long since = now - begunNanos;
            if (since > totalDurationNanos.value()) {
                totalDurationNanos.set(since);
            }
        } else if (now > begunNanos) {
            totalDurationNanos.set(Long.MAX_VALUE);
        }
    }

    /** Returns the counter of tracked samples that completed for a reason. */
    public LongCounter finishReason(FinishReason reason) {
        return finishReasons[reason.ordinal()];
    }
}
