package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.percentile.DurationBuckets;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of durations in nanoseconds for one slice of time, in 2.7 kB. It has 16 buckets for each power of two, so that a percentile
 * is off by 3.2 % at most; the extremes are exact. Belongs to one thread; recording allocates nothing.
 */
public final class SliceHistogram {
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final String[] SUFFIXES = {"_p50_ns", "_p90_ns", "_p99_ns", "_max_ns"};
    private static final long[] NONE = {};

    private static final DurationBuckets BUCKETS = new DurationBuckets(4);
    private static final int LENGTH = BUCKETS.count(42);

    private final int[] counts = new int[LENGTH];
    private long count;
    /** {@link Long#MAX_VALUE} if there is none. */
    private long min = Long.MAX_VALUE;

    private long max;

    /** Records a duration; a negative one counts as 0. */
    public void record(long nanos) {
        counts[Math.min(LENGTH - 1, BUCKETS.of(nanos))]++;
        count++;
        min = Math.min(min, Math.max(0, nanos));
        max = Math.max(max, nanos);
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
     * Returns percentiles in whole nanoseconds; see {@link HistogramPercentiles}. At least one duration must be recorded.
     *
     * @param percentiles between 0 and 100
     */
    public long[] percentiles(double... percentiles) {
        HistogramPercentiles estimate = new HistogramPercentiles(percentiles, count);
        for (int bucket = Math.min(LENGTH - 1, BUCKETS.of(min)); bucket < LENGTH && !estimate.isComplete(); bucket++) {
            if (counts[bucket] > 0) {
                estimate.add((double) BUCKETS.middle(bucket), counts[bucket]);
            }
        }
        double[] found = estimate.of((double) min, (double) max);
        long[] rounded = new long[found.length];
        for (int i = 0; i < rounded.length; i++) {
            rounded[i] = Math.round(found[i]);
        }
        return rounded;
    }

    /** Endings of the columns of a table of slices: percentiles and the largest duration. */
    public static String[] suffixes() {
        return SUFFIXES.clone();
    }

    /**
     * Fills the cells of a slice, a column for each of {@link #suffixes}.
     *
     * @param histogram of the slice; null or empty if nothing was measured
     */
    public static void columns(@Nullable SliceHistogram histogram, int slice, long[][] values) {
        SliceHistogram measured = histogram != null && histogram.count > 0 ? histogram : null;
        long[] percentiles = measured == null ? NONE : measured.percentiles(PERCENTILES);
        for (int i = 0; i < PERCENTILES.length; i++) {
            values[i][slice] = measured == null ? Slices.NOT_MEASURED : percentiles[i];
        }
        values[PERCENTILES.length][slice] = measured == null ? Slices.NOT_MEASURED : measured.max;
    }

    /** The durations as counts by the middle of their bucket in nanoseconds, ascending; empty buckets are left out. */
    public Map<String, Long> byMiddle() {
        Map<String, Long> byMiddle = new LinkedHashMap<>();
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            if (counts[bucket] > 0) {
                byMiddle.put(Long.toString(BUCKETS.middle(bucket)), (long) counts[bucket]);
            }
        }
        return byMiddle;
    }

    /** Adds all durations of another histogram. */
    public void add(SliceHistogram other) {
        for (int bucket = 0; bucket < LENGTH; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
    }

    /** Returns a copy that later durations do not change. */
    public SliceHistogram copy() {
        SliceHistogram copy = new SliceHistogram();
        copy.add(this);
        return copy;
    }

    /** Writes the extremes, and the buckets that are not empty, each as the distance from the one before and its count. */
    void write(DataOutput to) throws IOException {
        int filled = 0;
        for (int each : counts) {
            filled += each == 0 ? 0 : 1;
        }
        to.writeLong(min);
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
        histogram.min = from.readLong();
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
        if (histogram.min < 0 || histogram.max < (histogram.count == 0 ? 0 : histogram.min)) {
            throw new IOException(
                    "the durations of a slice are between " + histogram.min + " and " + histogram.max + " ns");
        }
        return histogram;
    }
}
