package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * The series of tracked samples that carry a schedule: how late they were issued, and their durations from the scheduled time. The
 * difference to the durations from the issue is queueing in the client, which coordinated omission hides. Registered when the first
 * schedule is received, because few producers send one.
 */
public final class ScheduleSeries {
    public final LongSeries slip;
    public final LongSeries responseLatency;

    private final Registry registry;
    private @Nullable LongSeries responseTimeToFirstToken;

    /**
     * Registers the series.
     *
     * @param streaming whether to register the time to first token at once; otherwise it is registered when it is first used
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

    /** Returns the series of times from the schedule to the first token; registers it on first use. */
    public LongSeries responseTimeToFirstToken() {
        LongSeries known = responseTimeToFirstToken;
        if (known == null) {
            known = registry.longSeries(SeriesName.RESPONSE_TTFT_NS);
            known.certify();
            responseTimeToFirstToken = known;
        }
        return known;
    }
}
