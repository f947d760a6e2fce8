package io.metricsaggregator.verdict;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.Locale;

/** Whether enough tracked samples completed for a rate and for percentiles. */
final class SampleSize implements Check {
    /** Fewest samples of a rate or a median: the relative standard error of a rate of n events is 1/√n, here 32 %. */
    private static final long RATE_MIN = 10;
    /** Fewest samples of p99: of fewer it is the largest value. */
    private static final long P99_MIN = 100;

    @Override
    public String name() {
        return "sample size";
    }

    @Override
    public String effect() {
        return "fewer than " + RATE_MIN
                + " tracked samples completed, too few for a rate or a percentile: questionable. Fewer than " + P99_MIN
                + ", too few for p99: a note";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        if (completed == 0 || completed >= P99_MIN) {
            return List.of();
        }
        boolean few = completed < RATE_MIN;
        return List.of(new Finding(
                few ? Finding.Weight.REMARK : Finding.Weight.NOTE,
                name(),
                String.format(
                        Locale.ROOT,
                        "%,d tracked sample%s completed: too few for %s (at least %d)",
                        completed,
                        completed == 1 ? "" : "s",
                        few ? "a rate or a percentile" : "p99, which is then about the largest value",
                        few ? RATE_MIN : P99_MIN),
                Finding.Limit.UNKNOWN));
    }
}
