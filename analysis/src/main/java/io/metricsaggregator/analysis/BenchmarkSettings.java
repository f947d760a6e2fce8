package io.metricsaggregator.analysis;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the report folder of MLCommons endpoints says about a run and a snapshot does not.
 *
 * @param window the window the tool takes throughput over; {@link ThroughputWindow#UNSTATED} without its settings
 * @param runConfig load pattern, warm-up and random seeds, as in {@code result_summary.json}; null if unknown
 * @param gitSha the tool's revision; null if unknown
 */
public record BenchmarkSettings(
        ThroughputWindow window,
        @Nullable Map<String, @Nullable Object> runConfig,
        @Nullable String gitSha) {
    /** Settings of a run that nothing is known of. */
    public static final BenchmarkSettings NONE = new BenchmarkSettings(ThroughputWindow.UNSTATED, null, null);

    /** The same settings with another window. */
    public BenchmarkSettings withWindow(ThroughputWindow other) {
        return new BenchmarkSettings(other, runConfig, gitSha);
    }
}
