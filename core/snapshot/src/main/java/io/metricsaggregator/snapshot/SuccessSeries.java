package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The durations that a snapshot has of all samples, of failed ones and of successes. People look at those of successes: fast failures would pass for fast
 * samples. Where no sample failed the snapshot has no series of successes, since it would repeat that of all.
 */
public enum SuccessSeries {
    TTFT(
            SeriesName.TTFT_NS,
            SeriesName.FAILED_TTFT_NS,
            SeriesName.SUCCEEDED_TTFT_NS,
            CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK),
    LATENCY(
            SeriesName.SAMPLE_LATENCY_NS,
            SeriesName.FAILED_SAMPLE_LATENCY_NS,
            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS,
            CounterName.TRACKED_SAMPLES_SUCCEEDED);

    private final SeriesName all;
    private final SeriesName failed;
    private final SeriesName succeeded;
    private final CounterName count;

    SuccessSeries(SeriesName all, SeriesName failed, SeriesName succeeded, CounterName count) {
        this.all = all;
        this.failed = failed;
        this.succeeded = succeeded;
        this.count = count;
    }

    /** The series of all samples. */
    public SeriesName all() {
        return all;
    }

    /** The series of samples that failed. */
    public SeriesName failed() {
        return failed;
    }

    /** The series of samples that succeeded. */
    public SeriesName succeeded() {
        return succeeded;
    }

    /** The number of samples that succeeded and have such a duration. */
    public CounterName count() {
        return count;
    }

    /** The durations of which one of the series is; null for any other series. */
    public static @Nullable SuccessSeries with(SeriesName series) {
        for (SuccessSeries each : values()) {
            if (each.all == series || each.succeeded == series) {
                return each;
            }
        }
        return null;
    }

    /**
     * The durations of the samples that succeeded.
     *
     * @return null without any, or if the snapshot does not separate them: those of other programs with failures, and runs in which a sample was issued again
     *     after its first chunk
     */
    public @Nullable SeriesMetric of(MetricsSnapshot snapshot) {
        SeriesMetric own = measured(snapshot, succeeded);
        if (own != null) {
            // A sum over live runs has those in flight of runs without failures too.
            return own.count() >= snapshot.counter(count) ? own : null;
        }
        return hasFailures(snapshot) ? null : measured(snapshot, all);
    }

    /** The durations of the samples that succeeded in each of several runs that have any; null without any, or if one run does not separate them. */
    public @Nullable List<Metric> ofAll(List<MetricsSnapshot> runs) {
        List<Metric> all = new ArrayList<>();
        for (MetricsSnapshot run : runs) {
            SeriesMetric successes = of(run);
            boolean whole = successes != null && !hasFailures(run) && run.has(count);
            if (successes == null ? isMixed(run) : whole && successes.count() != run.counter(count)) {
                return null;
            }
            if (successes != null) {
                all.add(successes);
            }
        }
        return all.isEmpty() ? null : all;
    }

    /** Whether the series of all samples has durations of failed ones, as far as the snapshot tells. */
    public boolean hasFailures(MetricsSnapshot snapshot) {
        SeriesMetric ofFailed = snapshot.series(failed);
        return ofFailed == null ? snapshot.counter(CounterName.TRACKED_SAMPLES_FAILED) > 0 : ofFailed.count() > 0;
    }

    /** The durations of the samples that succeeded; of all samples if those are unknown and other than failed ones exist; null without any. */
    public @Nullable SeriesMetric shown(MetricsSnapshot snapshot) {
        SeriesMetric own = of(snapshot);
        return own != null || !isMixed(snapshot) ? own : measured(snapshot, all);
    }

    /** Whether {@link #shown} cannot tell successes from failures and is of all samples. */
    public boolean isMixed(MetricsSnapshot snapshot) {
        SeriesMetric whole = measured(snapshot, all);
        SeriesMetric ofFailed = snapshot.series(failed);
        return whole != null && of(snapshot) == null && (ofFailed == null || ofFailed.count() < whole.count());
    }

    private static @Nullable SeriesMetric measured(MetricsSnapshot snapshot, SeriesName name) {
        SeriesMetric metric = snapshot.series(name);
        return metric == null || metric.count() == 0 ? null : metric;
    }
}
