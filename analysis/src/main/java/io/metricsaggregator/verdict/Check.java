package io.metricsaggregator.verdict;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;

/** A check of a run: the data it reads, its thresholds and its sentences. Stateless, so any thread may use it. */
interface Check {

    /** The subject of the check, a few words: its row in docs/metrics.md. */
    String name();

    /** What the check weighs and how much, thresholds included, for its row in docs/metrics.md. */
    String effect();

    /** The findings, each with its numbers; empty if the run does not have what the check is about. */
    List<Finding> judge(MetricsSnapshot snapshot);

    /** Whether the check can be judged before the end of a run. */
    default boolean isForLiveRuns() {
        return true;
    }
}
