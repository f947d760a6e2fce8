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

    private final Registry registry;
    private @Nullable LongSeries responseTimeToFirstToken;

    /**
     * Registers the series.
     *
     * @param streaming whether there are first tokens; if that is not known, their series is registered when it is asked for
     */
    ScheduleSeries(Registry registry, boolean streaming) {
        this.registry = registry;
        slip = registry.longSeries("schedule_slip_ns", HdrRange.DURATION_NANOS);
        responseLatency = registry.longSeries("response_latency_ns", HdrRange.DURATION_NANOS);
        responseLatency.certify();
        if (streaming) {
            responseTimeToFirstToken();
        }
    }

    LongSeries responseTimeToFirstToken() {
        LongSeries known = responseTimeToFirstToken;
        if (known == null) {
            known = registry.longSeries("response_ttft_ns", HdrRange.DURATION_NANOS);
            known.certify();
            responseTimeToFirstToken = known;
        }
        return known;
    }
}
