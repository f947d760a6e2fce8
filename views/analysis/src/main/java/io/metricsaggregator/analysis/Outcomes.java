package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of tracked samples. A sample that had an error has failed, whether it completed or not.
 *
 * @param succeeded samples that completed without an error
 * @param failed samples that had an error; for snapshots of other daemons the errors of samples
 */
public record Outcomes(long succeeded, long failed) {

    /** Reads the outcomes of a snapshot of any version. */
    public static Outcomes of(MetricsSnapshot snapshot) {
        long errors = snapshot.counter(CounterName.TRACKED_SAMPLES_FAILED);
        if (snapshot.has(CounterName.TRACKED_SAMPLES_SUCCEEDED)) {
            return new Outcomes(
                    snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED),
                    snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED));
        }
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        long failed = Math.min(errors, Math.max(completed, snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED)));
        return new Outcomes(Math.max(0, completed - failed), failed);
    }

    /** The share of failed samples among those whose outcome is known, 0 to 1; null if no outcome is. */
    public @Nullable Double failedShare() {
        return succeeded + failed == 0 ? null : (Double) ((double) failed / (succeeded + failed));
    }
}
