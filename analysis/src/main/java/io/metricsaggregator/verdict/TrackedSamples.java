package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;

/** Whether any sample was tracked and completed. */
final class TrackedSamples implements Check {

    @Override
    public String name() {
        return "samples";
    }

    @Override
    public String effect() {
        return "no tracked sample completed, or `session.started` or performance tracking was missed, so that no sample is tracked:"
                + " invalid, with the remedy";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            return List.of(
                    new Finding(Finding.Weight.BAD, "the session", gap.explained() + ". Remedy: " + gap.remedy()));
        }
        return snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) > 0 || SessionEnd.isTelemetryOnly(snapshot)
                ? List.of()
                : List.of(new Finding(Finding.Weight.BAD, name(), "no tracked sample completed"));
    }
}
