package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a growing set of values, computed again when the set has grown by an eighth, so that a snapshot every second costs each value
 * a bounded time. The count is always exact.
 */
public final class LiveStatistics {
    /** Statistics of fewer values are computed each time, so that a row with few values takes little memory. */
    private static final long WORTH_KEEPING = 256;

    private @Nullable ValueStatistics known;
    private long knownAt;

    /**
     * The statistics with the usual percentiles.
     *
     * @param exact whether they must cover all values
     */
    public ValueStatistics of(InterpolatedStatistics values, boolean exact) {
        return of(values, exact, values::summary);
    }

    /**
     * The statistics.
     *
     * @param exact whether they must cover all values
     * @param compute computes them
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
