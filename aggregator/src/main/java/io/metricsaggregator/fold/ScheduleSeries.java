package io.metricsaggregator.fold;

import io.metricsaggregator.registry.HdrRange;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Durations from the time samples were to be issued, of tracked samples that say when that was: how late they were issued, and what
 * one who came by the schedule would have waited. The difference to the durations from the issue is the client's own queueing (what
 * is known as coordinated omission). Registered when the first schedule comes: few producers tell.
 */
final class ScheduleSeries {
    final LongSeries slip;
    final LongSeries responseLatency;
    final @Nullable LongSeries responseTimeToFirstToken;

    ScheduleSeries(Registry registry, boolean streaming) {
        slip = registry.longSeries("schedule_slip_ns", HdrRange.DURATION_NANOS);
        responseLatency = registry.longSeries("response_latency_ns", HdrRange.DURATION_NANOS);
        responseTimeToFirstToken = streaming ? registry.longSeries("response_ttft_ns", HdrRange.DURATION_NANOS) : null;
        responseLatency.certify();
        if (responseTimeToFirstToken != null) {
            responseTimeToFirstToken.certify();
        }
    }
}
