package io.metricsaggregator.fold.steady;

import io.metricsaggregator.snapshot.percentile.DurationBuckets;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;

/**
 * A histogram of durations in nanoseconds for one batch of samples, in 10 kB: 64 buckets for each power of two, so that a percentile is off by 0.8 %
 * at most. Its sum is in fixed point, so that the mean is the same in whatever order texts are counted: of each duration to 2^-31 ns, up to 52 days.
 * Belongs to the thread of the fold; recording allocates nothing.
 */
final class SteadyHistogram {
    private static final DurationBuckets BUCKETS = new DurationBuckets(6);
    private static final int LENGTH = BUCKETS.count(42);

    private static final double FRACTION = 0x1p31;
    private static final double LONGEST = 0x1p52;

    private final int[] counts = new int[LENGTH];
    private long count;
    private double min = Double.POSITIVE_INFINITY;
    private double max;
    /** Sum of the whole nanoseconds. */
    private long whole;
    /** Sum of what is left, in 2^-31 ns. */
    private long fraction;

    /** Records a duration in ns; a negative one counts as 0. */
    void record(double nanos) {
        counts[Math.min(LENGTH - 1, BUCKETS.of((long) nanos))]++;
        count++;
        double inRange = Math.min(Math.max(0, nanos), LONGEST);
        min = Math.min(min, inRange);
        max = Math.max(max, inRange);
        whole += (long) inRange;
        fraction += (long) ((inRange - (long) inRange) * FRACTION);
    }

    /** Number of durations recorded. */
    long count() {
        return count;
    }

    /** Mean in ns; NaN if nothing was recorded. */
    double mean() {
        return count == 0 ? Double.NaN : (whole + fraction / FRACTION) / count;
    }

    /**
     * Percentiles in ns; see {@link HistogramPercentiles}. At least one duration must be recorded.
     *
     * @param percentiles between 0 and 100
     */
    double[] percentiles(double... percentiles) {
        HistogramPercentiles estimate = new HistogramPercentiles(percentiles, count);
        for (int bucket = 0; bucket < LENGTH && !estimate.isComplete(); bucket++) {
            if (counts[bucket] > 0) {
                estimate.add((double) BUCKETS.middle(bucket), counts[bucket]);
            }
        }
        return estimate.of(min, max);
    }

    /** Adds all durations of another histogram. */
    void add(SteadyHistogram other) {
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        whole += other.whole;
        fraction += other.fraction;
    }
}
