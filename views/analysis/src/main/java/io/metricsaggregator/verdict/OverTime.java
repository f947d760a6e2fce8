package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.OutageText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/** Whether changes over the time of a run can be judged. */
final class OverTime {
    /** The checks that need it, as one subject. */
    static final String CHECKS = "samples in flight, stationarity, Little's law";

    private OverTime() {}

    /** Why nothing over time can be judged; null if it can. */
    static @Nullable String unjudged(MetricsSnapshot snapshot) {
        if (!ImportedText.hasTimeline(snapshot)) {
            return "not judged: the imported file has no issue times";
        }
        return OutageText.of(snapshot).isEmpty()
                ? null
                : "not judged: samples that the outage orphaned would look like a slow server";
    }
}
