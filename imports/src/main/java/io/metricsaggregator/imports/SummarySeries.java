package io.metricsaggregator.imports;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a series as a tool has summarised it, in the unit of our series. Components are null if the tool does not have them.
 *
 * @param name wire name of our series, such as {@code ttft_ns}
 * @param count number of values
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
}
