package io.metricsaggregator.analysis;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a run that the report folder of MLCommons endpoints has and a snapshot lacks.
 *
 * @param window the window the tool takes throughput over; {@link ThroughputWindow#UNSTATED} without its settings
 * @param runConfig load pattern, warm-up and random seeds, as in {@code result_summary.json}; null if unknown
 * @param gitSha the tool's revision; null if unknown
 */
public record BenchmarkSettings(
        ThroughputWindow window,
        @Nullable Map<String, @Nullable Object> runConfig,
        @Nullable String gitSha) {
    /** Settings of a run without a report folder. */
    public static final BenchmarkSettings NONE = new BenchmarkSettings(ThroughputWindow.UNSTATED, null, null);

    /** The same settings with another window. */
    public BenchmarkSettings withWindow(ThroughputWindow other) {
        return new BenchmarkSettings(other, runConfig, gitSha);
    }
}
