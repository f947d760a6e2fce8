package io.metricsaggregator.analysis;

import org.jspecify.annotations.Nullable;

/**
 * Rates over one window.
 *
 * @param window which window: never {@link ThroughputWindow#UNSTATED}
 * @param nanos length of the window, above 0
 * @param requestsPerSecond completed samples a second
 * @param tokensPerSecond output tokens a second, of the outputs counted so far; null if none was counted
 * @param goodPerSecond samples a second that met the objectives; null without objectives
 */
public record Throughput(
        ThroughputWindow window,
        long nanos,
        double requestsPerSecond,
        @Nullable Double tokensPerSecond,
        @Nullable Double goodPerSecond) {

    /** The window's name in reports. */
    public String windowName() {
        return window == ThroughputWindow.LOADGEN ? "LoadGen window" : "tracked windows";
    }
}
