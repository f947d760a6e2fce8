package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;

/** Whether the samples in flight at present are known: not while producers report samples once they have ended. */
public final class InFlightText {
    /** Why the number is unknown. */
    public static final String UNKNOWN = "unknown: samples are reported once they have ended";

    private InFlightText() {}

    /** Whether the number of samples in flight and the age of the oldest are those of the present; at the end of the run they always are. */
    public static boolean isKnown(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        return snapshot.state().isTerminal()
                || extensions.isNone()
                || !extensions.inFlight().sentAfterwards();
    }
}
