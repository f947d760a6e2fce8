package io.metricsaggregator.verdict;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.Locale;

/** A check of a run: the data it reads, its thresholds and its sentences. Stateless, so any thread may use it. */
interface Check {

    /** The subject of the check, a few words: its row in docs/reference.md. */
    String name();

    /** What the check weighs and how much, thresholds included, for its row in docs/reference.md. */
    String effect();

    /** The findings, each with its numbers; empty if the run does not have what the check is about. */
    List<Finding> judge(MetricsSnapshot snapshot);

    /** Whether the check can be judged before the end of a run. */
    default boolean isForLiveRuns() {
        return true;
    }

    /** A share from 0 to 1 as a threshold of the documentation, such as {@code 5 %}. */
    static String percent(double share) {
        return number(100 * share) + " %";
    }

    /** A number without trailing zeros. */
    static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%s", Math.round(value * 1000) / 1000.0);
    }
}
