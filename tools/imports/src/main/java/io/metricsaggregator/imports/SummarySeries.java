package io.metricsaggregator.imports;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a series as a tool has summarised it, in the unit of our series. Components are null if the tool does not have them.
 *
 * @param name wire name of our series, such as {@code ttft_ns}
 * @param count number of values
 * @param standardDeviation of a sample (n − 1); see {@link #ofPopulation}
 * @param percentiles value by percentile, each above 0 and below 100
 */
public record SummarySeries(
        String name,
        @Nullable Long count,
        @Nullable Double mean,
        @Nullable Double standardDeviation,
        @Nullable Double min,
        @Nullable Double max,
        Map<Double, Double> percentiles) {
    public SummarySeries {
        percentiles = Map.copyOf(percentiles);
    }

    /** Converts a standard deviation that a tool divides by n, as numpy does; null if it or the count is unknown, or the count is below 2. */
    public static @Nullable Double ofPopulation(@Nullable Double deviation, @Nullable Long count) {
        return deviation == null || count == null || count < 2
                ? null
                : (Double) (deviation * Math.sqrt((double) count / (count - 1)));
    }

    /** Why the series cannot be taken over, as a short clause; null if it can. */
    public @Nullable String unusable() {
        if (count == null) {
            return "no count: the file does not say of how many values";
        }
        boolean duration = name.endsWith("_ns");
        boolean zero = mean == null ? percentiles.values().stream().allMatch(value -> value == 0) : mean == 0;
        return duration && count > 0 && zero ? "the file has 0 for it, which no request takes" : null;
    }
}
