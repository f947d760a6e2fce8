package io.metricsaggregator.run;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.telemetry.server.ServerReference;
import org.jspecify.annotations.Nullable;

/** What the client measured, for the figures of scraped servers: means of the durations of its successes, and the steady window on the clock of the scrapes. Stateless. */
final class ServerComparison {
    private static final long SLACK_NANOS = 60_000_000_000L;

    private ServerComparison() {}

    /**
     * The client's figures at a snapshot.
     *
     * @param nowNanos time of the snapshot on the daemon's monotonic clock, the same moment as {@code info.wallNanos()}
     * @param steady the steady state; its window is null before the run has ended
     */
    static ServerReference of(
            Registry registry, RunInfo info, long nowNanos, Slices slices, @Nullable SteadyState steady) {
        SteadyWindow window = steady == null ? null : steady.window();
        return new ServerReference(
                registry.mean(SeriesName.SUCCEEDED_TTFT_NS),
                registry.mean(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS),
                window == null
                        ? null
                        : new ServerReference.Window(
                                wallOffset(info, nowNanos, slices),
                                window.fromNanos(),
                                window.toNanos(),
                                mean(window.ttft()),
                                mean(window.latency())));
    }

    private static @Nullable Double mean(SteadyWindow.@Nullable Durations durations) {
        return durations == null ? null : (Double) durations.mean();
    }

    /**
     * What the wall clock is ahead of the producers' clock. That clock is assumed to be the daemon's, which holds on the same host; if that puts the session
     * outside the run, the first slice starts with the run. The axis of plots rests on the same rule.
     */
    private static long wallOffset(RunInfo info, long nowNanos, Slices slices) {
        long offset = info.wallNanos() - nowNanos;
        if (slices.length() == 0) {
            return offset;
        }
        long start = slices.startNanos() + offset;
        boolean plausible = start >= info.startedWallNanos() - SLACK_NANOS && start <= info.wallNanos() + SLACK_NANOS;
        return plausible ? offset : info.startedWallNanos() - slices.startNanos();
    }
}
