package io.metricsaggregator.daemon;

import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.fold.TimeCut;
import io.metricsaggregator.telemetry.TelemetryOptions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run is to be computed otherwise than it was.
 *
 * @param cut the part of its time whose samples are tracked
 * @param excludedWorkers workers that are left out with every sample they had to do with, by number or source name
 * @param percentiles further percentiles of every series, each above 0 and below 100
 * @param objectives other objectives; null for those the run had
 * @param telemetry how other kinds of observation are looked at; null for how they were
 * @param streaming whether there are first tokens and chunks; null for what the run said
 * @param trackAll whether every sample is tracked, whatever the session's events say; null for what the run said
 * @param words what of this differs from the run, for its readers
 */
public record WhatIf(
        TimeCut cut,
        Set<String> excludedWorkers,
        List<Double> percentiles,
        @Nullable Slo objectives,
        @Nullable TelemetryOptions telemetry,
        @Nullable Streaming streaming,
        @Nullable Boolean trackAll,
        List<String> words) {
    /** Nothing. */
    public static final WhatIf NOTHING =
            new WhatIf(TimeCut.NONE, Set.of(), List.of(), null, null, null, null, List.of());

    public WhatIf {
        excludedWorkers = Set.copyOf(excludedWorkers);
        percentiles = List.copyOf(percentiles);
        words = List.copyOf(words);
    }
}
