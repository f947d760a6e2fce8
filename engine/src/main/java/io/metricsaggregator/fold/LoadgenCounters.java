package io.metricsaggregator.fold;

import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;

/** The counters of the load-generator events, by the names and in the order of MLCommons endpoints. */
final class LoadgenCounters {
    final LongCounter totalIssued;
    final LongCounter totalCompleted;
    final LongCounter totalFailed;
    final LongCounter trackedIssued;
    final LongCounter trackedCompleted;
    final LongCounter trackedFailed;
    final LongCounter trackedDurationNanos;
    final LongCounter loadgenWindowNanos;
    final LongCounter totalDurationNanos;

    private final LongCounter[] finishReasons;

    LoadgenCounters(Registry registry) {
        totalIssued = registry.counter("total_samples_issued");
        totalCompleted = registry.counter("total_samples_completed");
        totalFailed = registry.counter("total_samples_failed");
        trackedIssued = registry.counter("tracked_samples_issued");
        trackedCompleted = registry.counter("tracked_samples_completed");
        trackedFailed = registry.counter("tracked_samples_failed");
        FinishReason[] reasons = FinishReason.values();
        finishReasons = new LongCounter[reasons.length];
        for (FinishReason reason : reasons) {
            finishReasons[reason.ordinal()] = registry.counter("tracked_finish_reason_" + reason.wireName());
        }
        trackedDurationNanos = registry.counter("tracked_duration_ns");
        loadgenWindowNanos = registry.counter("legacy_loadgen_window_duration_ns");
        totalDurationNanos = registry.counter("total_duration_ns");
    }

    LongCounter finishReason(FinishReason reason) {
        return finishReasons[reason.ordinal()];
    }
}
