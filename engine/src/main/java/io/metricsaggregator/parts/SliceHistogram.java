package io.metricsaggregator.parts;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A histogram of durations in nanoseconds for one slice of time, in 2.7 kB. It has 16 buckets for each power of two, so that a percentile
 * is off by 3.2 % at most; the largest value is exact. Belongs to one thread; recording allocates nothing.
 */
public final class SliceHistogram {
    private static final int SUB_BITS = 4;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int HIGHEST_BIT = 42;
    private static final int LENGTH = (HIGHEST_BIT - SUB_BITS + 2) * SUB_BUCKETS;

    private final int[] counts = new int[LENGTH];
    private long count;
    private long max;

    /** Records a duration; a negative one counts as 0. */
    public void record(long nanos) {
        counts[bucket(nanos)]++;
        count++;
        max = Math.max(max, nanos);
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

    private static long middle(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        long low = (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << shift;
        return low + ((1L << shift) >> 1);
    }

    /** Number of durations recorded. */
    public long count() {
        return count;
    }

    /** The largest duration; 0 if there is none. */
    public long max() {
        return max;
    }

    /**
     * Returns the middle of the bucket that holds a percentile, but no more than the largest duration. At least one must be recorded.
     *
     * @param percentile above 0 and up to 100
     */
    public long percentile(double percentile) {
        long rank = Math.max(1, (long) Math.ceil(percentile / 100 * count));
        long seen = 0;
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            seen += counts[bucket];
            if (seen >= rank) {
                return Math.min(middle(bucket), max);
            }
        }
        return max;
    }

    /** Adds all durations of another histogram. */
    public void add(SliceHistogram other) {
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    /** Forgets all durations. */
    public void clear() {
        Arrays.fill(counts, 0);
        count = 0;
        max = 0;
    }

    /** Returns a copy that later durations do not change. */
    public SliceHistogram copy() {
        SliceHistogram copy = new SliceHistogram();
        copy.add(this);
        return copy;
    }

    /** Writes the largest duration, and the buckets that are not empty, each as the distance from the one before and its count. */
    void write(DataOutput to) throws IOException {
        int filled = 0;
        for (int each : counts) {
            filled += each == 0 ? 0 : 1;
        }
        to.writeLong(max);
        to.writeShort(filled);
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            if (counts[bucket] != 0) {
                to.writeShort(bucket);
                to.writeInt(counts[bucket]);
            }
        }
    }

    /**
     * Reads a histogram.
     *
     * @throws IOException if the stream fails, or a bucket or its count is out of range
     */
    static SliceHistogram read(DataInput from) throws IOException {
        SliceHistogram histogram = new SliceHistogram();
        histogram.max = from.readLong();
        int filled = from.readUnsignedShort();
        int previous = -1;
        for (int i = 0; i < filled; i++) {
            int bucket = from.readUnsignedShort();
            int count = from.readInt();
            if (bucket <= previous || bucket >= LENGTH || count < 1) {
                throw new IOException("a histogram of a slice has " + count + " durations in bucket " + bucket);
            }
            histogram.counts[bucket] = count;
            histogram.count += count;
            previous = bucket;
        }
        if (histogram.max < 0) {
            throw new IOException("the largest duration of a slice is " + histogram.max);
        }
        return histogram;
    }
}
