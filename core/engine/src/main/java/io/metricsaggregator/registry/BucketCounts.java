package io.metricsaggregator.registry;

import org.HdrHistogram.Histogram;

/**
 * Counts of values by bucket that a histogram does not have yet: {@link Histogram#recordValue} keeps extremes and a total with every value, which
 * the statistics of a series have already. One owner.
 */
final class BucketCounts {
    private static final long SMALL_MAX = Integer.MAX_VALUE;

    private final HdrLayout layout;
    private final HdrRange range;
    private final int[] counts;
    /** Bits that a value may have which is certainly within the range and has a square of less than 63 bits. */
    private final long smallBits;
    /** Buckets between which all counted values lie. */
    private int first = Integer.MAX_VALUE;

    private int last = -1;

    BucketCounts(HdrRange range, int significantFigures) {
        this.layout = new HdrLayout(significantFigures, range.highest());
        this.range = range;
        this.counts = new int[layout.length()];
        this.smallBits = range.lowest() == 1 ? Math.min(SMALL_MAX, Long.highestOneBit(range.highest()) - 1) : 0;
    }

    /** Whether the first {@code size} of {@code values} are small and within the range; false if that is not seen at once. */
    boolean areSmall(long[] values, int size) {
        long bits = 0;
        for (int i = 0; i < size; i++) {
            bits |= values[i] | (values[i] - 1);
        }
        return (bits & ~smallBits) == 0;
    }

    /** Counts a value of the range; {@link #counted} follows. */
    void count(long value) {
        counts[layout.index(value)]++;
    }

    /** Values from {@code low} to {@code high} were counted. */
    void counted(long low, long high) {
        first = Math.min(first, layout.index(low));
        last = Math.max(last, layout.index(high));
    }

    /** Moves all counts into a histogram of the same range and precision, before 2³¹ values are counted. */
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
