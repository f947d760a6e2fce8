package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.snapshot.figures.TimeSpan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a run on the producers' clock whose energy is asked for.
 *
 * @param run from the start of the session to the newest event; null without a session
 * @param tracked the tracked windows; empty if nothing was tracked, or if there were too many to keep
 * @param steady from the first to the last issue of the steady window; null without one
 * @param firstIssueNanos time of the first issue; null before it
 */
public record EnergyWindows(
        @Nullable TimeSpan run,
        List<TimeSpan> tracked,
        @Nullable TimeSpan steady,
        @Nullable Long firstIssueNanos) {
    public EnergyWindows {
        tracked = TimeSpan.union(tracked);
    }
}
