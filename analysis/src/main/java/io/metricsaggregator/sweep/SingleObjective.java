package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
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

    /** A duration of a sample, and its series of all samples and of those without an error. */
    public enum Duration {
        TTFT("ttft", SeriesName.TTFT_NS, SeriesName.SUCCEEDED_TTFT_NS),
        TPOT("tpot", SeriesName.TPOT_NS, null),
        LATENCY("latency", SeriesName.SAMPLE_LATENCY_NS, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS);

        private final String key;
        private final SeriesName all;
        private final @Nullable SeriesName ofSuccesses;

        Duration(String key, SeriesName all, @Nullable SeriesName ofSuccesses) {
            this.key = key;
            this.all = all;
            this.ofSuccesses = ofSuccesses;
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
        SeriesName own = duration.ofSuccesses;
        SeriesMetric ofSuccesses = own == null ? null : snapshot.series(own);
        if (ofSuccesses != null && ofSuccesses.count() == succeeded) {
            return ofSuccesses;
        }
        SeriesMetric all = snapshot.series(duration.all);
        boolean noErrors = succeeded == snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        return noErrors && all != null && all.count() == succeeded ? all : null;
    }
}
