package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches statistics of values that still arrive. It computes them again after an eighth more values, so that a snapshot per second costs
 * bounded time per value. Counts are always current. Belongs to the thread that applies events.
 */
public final class LiveStatistics {
    /** With fewer values the statistics are computed each time, so that a row with few values takes little memory. */
    private static final long WORTH_KEEPING = 256;

    private @Nullable ValueStatistics known;
    private long knownAt;

    /**
     * The statistics with the usual percentiles.
     *
     * @param exact whether the statistics must cover all values; otherwise they may lag behind by an eighth
     */
    public ValueStatistics of(InterpolatedStatistics values, boolean exact) {
        return of(values, exact, values::summary);
    }

    /**
     * The statistics.
     *
     * @param exact whether the statistics must cover all values; otherwise they may lag behind by an eighth
     * @param compute computes the statistics
     */
    public ValueStatistics of(InterpolatedStatistics values, boolean exact, Supplier<ValueStatistics> compute) {
        long count = values.count();
        if (exact || count < WORTH_KEEPING) {
            return compute.get();
        }
        ValueStatistics last = known;
        if (last == null || count > knownAt + knownAt / 8) {
            last = compute.get();
            known = last;
            knownAt = count;
        }
        return last.withCount(count);
    }
}
