package io.metricsaggregator.fold;

import io.metricsaggregator.parts.FoldPart;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import org.jspecify.annotations.Nullable;

/** Collects what the tables of a fold know of its samples, in the form that adds up. Used by the thread of the fold. */
final class SampleState {
    private SampleState() {}

    static FoldPart part(
            SliceTable slices,
            WindowSums windows,
            SuccessCounters successes,
            SlowSamples slow,
            SnapshotExtensions.InFlight inFlight,
            @Nullable Goodput goodput,
            OptionalFolds optional) {
        return new FoldPart(
                        slices.part(),
                        windows.part(successes.span()),
                        slow.part(),
                        inFlight,
                        goodput,
                        optional.interactivity.summary())
                .withLabels(optional.labels.part());
    }
}
