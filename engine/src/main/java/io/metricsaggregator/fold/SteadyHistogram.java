package io.metricsaggregator.fold;

/**
 * A histogram of durations in nanoseconds for one batch of samples, in 10 kB: 64 buckets for each power of two, so that a percentile is off by 0.8 %
 * at most. Its sum is in fixed point, so that the mean is the same in whatever order texts are counted: of each duration to 2^-31 ns, up to 52 days.
 * Belongs to the thread of the fold; recording allocates nothing.
 */
final class SteadyHistogram {
    private static final int SUB_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int HIGHEST_BIT = 42;
    private static final int LENGTH = (HIGHEST_BIT - SUB_BITS + 2) * SUB_BUCKETS;

    private static final double FRACTION = 0x1p31;
    private static final double LONGEST = 0x1p52;

    private final int[] counts = new int[LENGTH];
    private long count;
    /** Sum of the whole nanoseconds. */
    private long whole;
    /** Sum of what is left, in 2^-31 ns. */
    private long fraction;

    /** Records a duration in ns; a negative one counts as 0. */
    void record(double nanos) {
        counts[bucket((long) nanos)]++;
        count++;
        double inRange = Math.min(Math.max(0, nanos), LONGEST);
        whole += (long) inRange;
        fraction += (long) ((inRange - (long) inRange) * FRACTION);
    }

    private static int bucket(long nanos) {
        if (nanos < SUB_BUCKETS) {
            return (int) Math.max(0, nanos);
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        if (exponent > HIGHEST_BIT) {
            return LENGTH - 1;
        }
        int shift = exponent - SUB_BITS;
        return (shift + 1) * SUB_BUCKETS + (int) (nanos >>> shift) - SUB_BUCKETS;
    }

    private static double middle(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        long low = (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << shift;
        return low + (double) (1L << shift) / 2;
    }

    /** Number of durations recorded. */
    long count() {
        return count;
    }

    /** Mean in ns; NaN if nothing was recorded. */
    double mean() {
        return count == 0 ? Double.NaN : (whole + fraction / FRACTION) / count;
    }

    /** Middle of the bucket that holds the value of rank ⌊p·(n − 1)⌋ from 0, in ns; NaN if nothing was recorded. */
    double percentile(double p) {
        long rank = (long) (p * (count - 1));
        long seen = 0;
        for (int bucket = 0; bucket < LENGTH && count > 0; bucket++) {
            seen += counts[bucket];
            if (seen > rank) {
                return middle(bucket);
            }
        }
        return Double.NaN;
    }

    /** Adds all durations of another histogram. */
    void add(SteadyHistogram other) {
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
        whole += other.whole;
        fraction += other.fraction;
    }
}
