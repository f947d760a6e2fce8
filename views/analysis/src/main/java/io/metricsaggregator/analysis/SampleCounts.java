package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of the samples of a run. The counters of MLCommons endpoints count a failed sample among the completed ones too; these numbers are disjoint.
 * Numbers that the summary of a tool, of which the run was imported, does not have are null.
 *
 * @param issued tracked samples issued
 * @param succeeded tracked samples that completed without an error; null if the snapshot does not say which of the completed ones failed
 * @param failed tracked samples with an error; without {@code succeeded}, their errors
 * @param untracked samples completed outside the tracked windows, with or without an error
 * @param inFlight samples in flight without an error, tracked or not; 0 for a daemon that does not report them
 * @param evicted samples evicted
 */
public record SampleCounts(
        @Nullable Long issued,
        @Nullable Long succeeded,
        @Nullable Long failed,
        long untracked,
        long inFlight,
        long evicted) {

    /** Counts the samples of a snapshot. */
    public static SampleCounts of(MetricsSnapshot snapshot) {
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        boolean counted = snapshot.has(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        Long errors = ImportedText.known(snapshot, CounterName.TRACKED_SAMPLES_FAILED);
        SnapshotExtensions.InFlight inFlight =
                snapshot.extensions().isNone() ? null : snapshot.extensions().inFlight();
        return new SampleCounts(
                ImportedText.known(snapshot, CounterName.TRACKED_SAMPLES_ISSUED),
                counted
                        ? (Long) snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED)
                        : completedWithoutErrors(snapshot, errors),
                counted ? ImportedText.known(snapshot, CounterName.TRACKED_SAMPLES_ERRORED) : errors,
                Math.max(0, snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED) - completed),
                inFlight == null ? 0 : Math.max(0, inFlight.count() - inFlight.failed()),
                snapshot.counter(CounterName.INFLIGHT_EVICTED));
    }

    private static @Nullable Long completedWithoutErrors(MetricsSnapshot snapshot, @Nullable Long errors) {
        return errors == null || errors == 0
                ? ImportedText.known(snapshot, CounterName.TRACKED_SAMPLES_COMPLETED)
                : null;
    }

    /** A count with separators; {@code -} for null. */
    public static String text(@Nullable Long count) {
        return count == null ? "-" : String.format(Locale.ROOT, "%,d", count);
    }

    /** The failed samples as a share of the issued ones, such as {@code 1.0% of issued}; empty if either is unknown or none was issued. */
    public String failedShare() {
        return issued == null || issued == 0 || failed == null ? "" : Figures.share(failed, issued) + " of issued";
    }

    /** The first count in words: the successes, or what was completed with or without an error. */
    public String completed(MetricsSnapshot snapshot) {
        return succeeded == null
                ? String.format(
                        Locale.ROOT,
                        "completed %,d, failures among them",
                        snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED))
                : String.format(Locale.ROOT, "succeeded %,d", succeeded);
    }
}
