package io.metricsaggregator.fold.token;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares a count that servers report with the count of the daemon, sample by sample: the deviation is (reported − counted) / counted.
 * Belongs to the thread of the fold; comparing allocates nothing after the first time.
 */
final class UsageMismatch {
    /** Deviations above a tenth are mismatches. */
    private static final int MISMATCH_PARTS = 10;
    /** Deviations are kept in steps of 0.01 %, up to 10,000-fold. */
    private static final double STEPS = 1e4;

    private static final long STEPS_MAX = 100_000_000L;
    private static final double[] PERCENTILES = {50, 99};

    private final String kind;
    private long compared;
    private long mismatched;
    private long skipped;
    private long reportedTokens;
    private long countedTokens;
    private @Nullable Histogram deviations;

    /**
     * A comparison of nothing yet.
     *
     * @param kind its key in a snapshot
     */
    UsageMismatch(String kind) {
        this.kind = kind;
    }

    /** Compares the counts of one sample; skips it if the daemon counted 0 tokens. */
    void compare(long reported, long counted) {
        if (counted <= 0) {
            skipped++;
            return;
        }
        compared++;
        reportedTokens = TimestampMath.saturatedAdd(reportedTokens, reported);
        countedTokens = TimestampMath.saturatedAdd(countedTokens, counted);
        long difference = Math.abs(reported - counted);
        if (difference > Long.MAX_VALUE / MISMATCH_PARTS || difference * MISMATCH_PARTS > counted) {
            mismatched++;
        }
        Histogram steps = deviations;
        if (steps == null) {
            steps = new Histogram(1, STEPS_MAX, 2);
            deviations = steps;
        }
        steps.recordValue(Math.min(STEPS_MAX, Math.round((double) difference / (double) counted * STEPS)));
    }

    /** Takes note of a sample whose reported count has no counted one beside it. */
    void skip() {
        skipped++;
    }

    /** Copies the sums; null if no sample was compared. */
    ReportedUsage.@Nullable Mismatch summary() {
        Histogram steps = deviations;
        if (steps == null) {
            return null;
        }
        HistogramPercentiles estimate = new HistogramPercentiles(PERCENTILES, steps.getTotalCount());
        for (HistogramIterationValue each : steps.recordedValues()) {
            estimate.add(
                    (double) steps.medianEquivalentValue(each.getValueIteratedTo()),
                    each.getCountAddedInThisIterationStep());
        }
        double[] found = estimate.within(0, (double) STEPS_MAX);
        return new ReportedUsage.Mismatch(
                kind, compared, mismatched, skipped, reportedTokens, countedTokens, found[0] / STEPS, found[1] / STEPS);
    }
}
