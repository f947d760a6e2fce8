package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of values while they come: worked out again when there are an eighth more than the last time, so that looking once a second costs each value
 * a bounded time however many there are. Counts are always of now.
 */
public final class LiveStatistics {
    /** Fewer values are worked out again each time: a row with few values is to take little memory. */
    private static final long WORTH_KEEPING = 256;

    private @Nullable Map<String, @Nullable Object> known;
    private @Nullable ValueStatistics knownRecord;
    private long knownAt;

    /**
     * The statistics as a record.
     *
     * @param exact whether they must be of all values
     */
    public ValueStatistics of(InterpolatedStatistics values, boolean exact) {
        long count = values.count();
        if (exact || count < WORTH_KEEPING) {
            return values.values(InterpolatedStatistics.PERCENTILES);
        }
        ValueStatistics last = knownRecord;
        if (last == null || count > knownAt + knownAt / 8) {
            last = values.values(InterpolatedStatistics.PERCENTILES);
            knownRecord = last;
            knownAt = count;
        }
        return last.withCount(count);
    }

    /**
     * The statistics.
     *
     * @param exact whether they must be of all values
     * @param compute works them out
     */
    public Map<String, @Nullable Object> of(
            InterpolatedStatistics values, boolean exact, Supplier<Map<String, @Nullable Object>> compute) {
        long count = values.count();
        if (exact || count < WORTH_KEEPING) {
            return compute.get();
        }
        Map<String, @Nullable Object> last = known;
        if (last == null || count > knownAt + knownAt / 8) {
            last = compute.get();
            known = last;
            knownAt = count;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(last);
        copy.put("count", count);
        return copy;
    }
}
