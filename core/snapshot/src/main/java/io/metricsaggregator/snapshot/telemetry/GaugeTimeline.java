package io.metricsaggregator.snapshot.telemetry;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A gauge over time: weighted mean, extremes, first and last value of each bucket; null where nothing was measured. */
public record GaugeTimeline(
        List<@Nullable Double> mean,
        List<@Nullable Double> min,
        List<@Nullable Double> max,
        List<@Nullable Double> first,
        List<@Nullable Double> last) {}
