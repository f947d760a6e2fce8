package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A limit on one duration, which the histograms of a snapshot can be judged by afterwards, within their precision. Several limits cannot: a snapshot does
 * not say which samples meet all of them.
 *
 * @param duration the duration
 * @param limitNanos the largest duration that meets the limit, in nanoseconds
 * @param targetShare the required share of good samples, above 0 and up to 1
 */
public record SingleObjective(Duration duration, long limitNanos, double targetShare) {

    /** A duration of a sample, and its series. */
    public enum Duration {
        TTFT("ttft", SeriesName.TTFT_NS),
        TPOT("tpot", SeriesName.TPOT_NS),
        LATENCY("latency", SeriesName.SAMPLE_LATENCY_NS);

        private final String key;
        private final SeriesName series;

        Duration(String key, SeriesName series) {
            this.key = key;
            this.series = series;
        }
    }

    /** Counts the good samples of a run; null if the snapshot does not separate the durations of successes, or some of them have none. */
    public @Nullable Goodput goodput(MetricsSnapshot snapshot) {
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        long succeeded = snapshot.has(CounterName.TRACKED_SAMPLES_SUCCEEDED)
                ? snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED)
                : completed - snapshot.counter(CounterName.TRACKED_SAMPLES_FAILED);
        SeriesMetric series = successes(snapshot, succeeded);
        Histogram histogram = SeriesHistogram.of(series);
        if (completed == 0 || histogram == null) {
            return null;
        }
        // The histogram counts a value by its bucket: a limit within a bucket covers all of it.
        long good = histogram.getCountBetweenValues(0, limitNanos);
        return new Goodput(
                List.of(new Goodput.Constraint(duration.key, limitNanos, good)), targetShare, completed, good, 0);
    }

    private @Nullable SeriesMetric successes(MetricsSnapshot snapshot, long succeeded) {
        SuccessSeries durations = SuccessSeries.with(duration.series);
        boolean noErrors = succeeded == snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        SeriesMetric own =
                durations != null ? durations.of(snapshot) : noErrors ? snapshot.series(duration.series) : null;
        return own != null && own.count() == succeeded ? own : null;
    }
}
