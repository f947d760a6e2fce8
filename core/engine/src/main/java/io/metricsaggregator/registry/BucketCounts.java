package io.metricsaggregator.registry;

import org.HdrHistogram.Histogram;

/**
 * Counts of values by bucket that a histogram does not have yet. Counting here costs a third of {@link Histogram#recordValue}, which keeps extremes and
 * a total with every value. One owner.
 */
final class BucketCounts {
    private final HdrLayout layout;
    private final HdrRange range;
    private final int[] counts;
    /** Buckets between which all counted values lie. */
    private int first = Integer.MAX_VALUE;

    private int last = -1;

    BucketCounts(HdrRange range, int significantFigures) {
        this.layout = new HdrLayout(significantFigures, range.highest());
        this.range = range;
        this.counts = new int[layout.length()];
    }

    /** Counts the first {@code size} of {@code values}; returns how many of them lie outside the range, and count at its edge. */
    int add(long[] values, int size) {
        long lowest = range.lowest();
        long highest = range.highest();
        int clamped = 0;
        int low = first;
        int high = last;
        for (int i = 0; i < size; i++) {
            long value = values[i];
            long held = Math.min(Math.max(value, lowest), highest);
            clamped += held == value ? 0 : 1;
            int bucket = layout.index(held);
            counts[bucket]++;
            low = Math.min(low, bucket);
            high = Math.max(high, bucket);
        }
        first = low;
        last = high;
        return clamped;
    }

    /** Moves all counts into a histogram of the same range and precision. Belongs before 2³¹ values are counted. */
    void moveInto(Histogram histogram) {
        for (int bucket = first; bucket <= last; bucket++) {
            if (counts[bucket] > 0) {
                histogram.recordValueWithCount(Math.max(range.lowest(), layout.lowestOf(bucket)), counts[bucket]);
                counts[bucket] = 0;
            }
        }
        first = Integer.MAX_VALUE;
        last = -1;
    }
}
