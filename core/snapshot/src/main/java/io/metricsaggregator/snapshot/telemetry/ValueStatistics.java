package io.metricsaggregator.snapshot.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a set of values. All but the count are null when there is no value or the result is not finite.
 *
 * @param count how many values
 * @param stddev standard deviation with n − 1 in the denominator; 0 for one value
 * @param percentiles by name, such as {@code p99} and {@code p99_9}, the lowest first; linearly interpolated between neighbours while all values are kept
 */
public record ValueStatistics(
        long count,
        @Nullable Double sum,
        @Nullable Double mean,
        @Nullable Double min,
        @Nullable Double max,
        @Nullable Double stddev,
        Map<String, @Nullable Double> percentiles) {
    /** Statistics of no value, without percentiles. */
    public static final ValueStatistics NONE = new ValueStatistics(0, null, null, null, null, null, Map.of());

    public ValueStatistics {
        percentiles = Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** The same with another count, for statistics that lag behind it. */
    public ValueStatistics withCount(long other) {
        return new ValueStatistics(other, sum, mean, min, max, stddev, percentiles);
    }

    /** A percentile by name; null if it is not there. */
    public @Nullable Double percentile(String name) {
        return percentiles.get(name);
    }
}
