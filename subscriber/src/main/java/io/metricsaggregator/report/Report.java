package io.metricsaggregator.report;

import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot says about a run, worked out. Counts are of tracked samples.
 *
 * @param snapshot what it was worked out from
 * @param issued samples issued
 * @param completed samples completed
 * @param failed errors of samples
 * @param durationNanos sum of the tracked windows; null if there was none
 * @param loadgenWindowNanos LoadGen's window; null if there was none, or it was not asked for
 * @param requestsPerSecond throughput; null without a duration
 * @param tokensPerSecond output tokens; null without a duration, or if no output was counted
 * @param goodPerSecond samples that met the objectives; null without a duration or objectives
 * @param complete whether the session ended and everything was counted
 */
public record Report(
        MetricsSnapshot snapshot,
        long issued,
        long completed,
        long failed,
        @Nullable Long durationNanos,
        @Nullable Long loadgenWindowNanos,
        @Nullable Double requestsPerSecond,
        @Nullable Double tokensPerSecond,
        @Nullable Double goodPerSecond,
        boolean complete) {

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Works it out.
     *
     * @param loadgenWindow whether throughput is over the window from the first issue to the completion of the sample issued
     *     last, as MLPerf's LoadGen has it, where there is one; otherwise over the tracked windows
     */
    public static Report of(MetricsSnapshot snapshot, boolean loadgenWindow) {
        long completed = snapshot.counterValue("tracked_samples_completed");
        Long duration = positive(snapshot.counterValue("tracked_duration_ns"));
        Long window = loadgenWindow ? positive(snapshot.counterValue("legacy_loadgen_window_duration_ns")) : null;
        boolean byWindow = window != null && completed >= 2;
        Double seconds = byWindow ? seconds(window) : seconds(duration);
        SeriesMetric output = snapshot.series("osl");
        Goodput goodput =
                snapshot.additions() == null ? null : snapshot.additions().goodput();
        return new Report(
                snapshot,
                snapshot.counterValue("tracked_samples_issued"),
                completed,
                snapshot.counterValue("tracked_samples_failed"),
                duration,
                window,
                seconds == null ? null : (Double) ((completed - (byWindow ? 1 : 0)) / seconds),
                seconds == null || output == null || output.count() == 0
                        ? null
                        : (Double) (output.total().doubleValue() / seconds),
                seconds == null || goodput == null ? null : (Double) (goodput.good() / seconds),
                snapshot.state() == SessionState.COMPLETE && snapshot.pendingTasks() == 0);
    }

    private static @Nullable Long positive(long value) {
        return value > 0 ? (Long) value : null;
    }

    private static @Nullable Double seconds(@Nullable Long nanos) {
        return nanos == null ? null : (Double) (nanos / NANOS_PER_SECOND);
    }

    /** Whether throughput is over LoadGen's window. */
    public boolean byLoadgenWindow() {
        return loadgenWindowNanos != null && completed >= 2;
    }

    /** Standard deviation (n − 1) of a series; 0 for a single value. */
    static double standardDeviation(SeriesMetric series) {
        SeriesDetail detail = series.detail();
        if (detail != null) {
            return detail.stdDev() == null ? 0 : detail.stdDev();
        }
        // Another daemon's snapshot has rounded sums only.
        double n = series.count();
        double total = series.total().doubleValue();
        double spread = series.sumSq().doubleValue() - total * total / n;
        return n < 2 ? 0 : Math.sqrt(Math.max(0, spread / (n - 1)));
    }
}
