package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.SeriesName;
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
        slip = registry.longSeries(SeriesName.SCHEDULE_SLIP_NS);
        responseLatency = registry.longSeries(SeriesName.RESPONSE_LATENCY_NS);
        responseLatency.certify();
        if (streaming) {
            responseTimeToFirstToken();
        }
    }

    LongSeries responseTimeToFirstToken() {
        LongSeries known = responseTimeToFirstToken;
        if (known == null) {
            known = registry.longSeries(SeriesName.RESPONSE_TTFT_NS);
            known.certify();
            responseTimeToFirstToken = known;
        }
        return known;
    }
}
