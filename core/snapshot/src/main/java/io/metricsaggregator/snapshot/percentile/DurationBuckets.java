package io.metricsaggregator.snapshot.percentile;

/**
 * The buckets of a histogram of durations in nanoseconds: {@code 2^bits} of equal width for each power of two; below {@code 2^bits} each value has its
 * own. Thread-safe.
 *
 * @param bits 0 to 30
 */
public record DurationBuckets(int bits) {
    /** Number of buckets of the durations whose highest bit is at most {@code highestBit}, 62 for all. */
    public int count(int highestBit) {
        return (highestBit - bits + 2) << bits;
    }

    /** The bucket of a duration; a negative one counts as 0. */
    public int of(long nanos) {
        if (nanos < 1 << bits) {
            return (int) Math.max(0, nanos);
        }
        int shift = Long.SIZE - 1 - bits - Long.numberOfLeadingZeros(nanos);
        return ((shift + 1) << bits) + (int) ((nanos >>> shift) & ((1 << bits) - 1));
    }

    /** The smallest duration of a bucket. */
    public long from(int bucket) {
        return bucket < 1 << bits ? bucket : ((1L << bits) + (bucket & ((1 << bits) - 1))) << shift(bucket);
    }

    /** The duration that stands for a bucket; see {@link HistogramPercentiles#middle}. */
    public long middle(int bucket) {
        return bucket < 1 << bits ? bucket : HistogramPercentiles.middle(from(bucket), 1L << shift(bucket));
    }

    private int shift(int bucket) {
        return (bucket >>> bits) - 1;
    }
}
