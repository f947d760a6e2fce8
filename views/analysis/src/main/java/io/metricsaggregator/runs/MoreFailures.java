package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Outcomes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run fails more than its baseline, by the two-proportion z-test, which takes failures for independent.
 *
 * @param before the outcomes of the baseline
 * @param after the outcomes of the run
 * @param p two-sided probability of a difference at least as large by chance; 1 where no outcome is known or the shares are equal
 */
record MoreFailures(Outcomes before, Outcomes after, double p) {
    private static final double ALPHA = 0.05;

    static MoreFailures of(Outcomes before, Outcomes after) {
        return new MoreFailures(
                before,
                after,
                probability(
                        before.failed(),
                        before.succeeded() + before.failed(),
                        after.failed(),
                        after.succeeded() + after.failed()));
    }

    /**
     * The two-sided probability of shares that differ at least as much by chance; 1 if they are equal or a whole is 0.
     *
     * @param some of the baseline, out of {@code all}
     * @param otherSome of the run, out of {@code otherAll}
     */
    static double probability(long some, long all, long otherSome, long otherAll) {
        double part = (double) some;
        double whole = (double) all;
        double otherPart = (double) otherSome;
        double otherWhole = (double) otherAll;
        double pooled = (part + otherPart) / Math.max(1, whole + otherWhole);
        double deviation =
                whole == 0 || otherWhole == 0 ? 0 : Math.sqrt(pooled * (1 - pooled) * (1 / whole + 1 / otherWhole));
        double difference = deviation == 0 ? 0 : Math.abs(otherPart / otherWhole - part / whole);
        return difference == 0 ? 1 : twoSided(difference / deviation);
    }

    /** The probability; null if neither run has failures, so that there is nothing to test. */
    @Nullable
    Double tested() {
        return before.failed() + after.failed() == 0 ? null : (Double) p;
    }

    /** Whether the run's share of failures is larger, and not by chance. */
    boolean isShown() {
        Double one = before.failedShare();
        Double two = after.failedShare();
        return one != null && two != null && two > one && p < ALPHA;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "failures: %s of the baseline's samples, %s of the run's: no figure of the run is called better",
                Figures.share(before.failedShare()),
                Figures.share(after.failedShare()));
    }

    /** Two-sided tail of the standard normal distribution: Abramowitz and Stegun 7.1.26, within 1.5e-7. */
    private static double twoSided(double z) {
        double x = z / Math.sqrt(2);
        double t = 1 / (1 + 0.3275911 * x);
        double polynomial =
                t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
        return Math.min(1, Math.max(0, polynomial * Math.exp(-x * x)));
    }
}
