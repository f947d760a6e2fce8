package io.metricsaggregator.fleet;

import io.metricsaggregator.snapshot.histogram.HdrGrid;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.util.Arrays;

/** The counts above 0 of a slice's histogram, by ascending index. Immutable. */
final class SliceCounts {
    /** No values. */
    static final SliceCounts NONE = new SliceCounts(new int[0], new long[0]);

    private final int[] indexes;
    private final long[] counts;

    private SliceCounts(int[] indexes, long[] counts) {
        this.indexes = indexes;
        this.counts = counts;
    }

    /** Collects counts in ascending order of their index. */
    static final class Builder {
        private int[] indexes = new int[16];
        private long[] counts = new long[16];
        private int size;

        /** Adds a count; one below 1 is left out. */
        void add(int index, long count) {
            if (count < 1) {
                return;
            }
            if (size == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            indexes[size] = index;
            counts[size++] = count;
        }

        SliceCounts build() {
            return size == 0 ? NONE : new SliceCounts(Arrays.copyOf(indexes, size), Arrays.copyOf(counts, size));
        }
    }

    /** The sum of both. */
    SliceCounts plus(SliceCounts other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        Builder sum = new Builder();
        int a = 0;
        int b = 0;
        while (a < indexes.length || b < other.indexes.length) {
            int index = Math.min(
                    a < indexes.length ? indexes[a] : Integer.MAX_VALUE,
                    b < other.indexes.length ? other.indexes[b] : Integer.MAX_VALUE);
            long count = 0;
            if (a < indexes.length && indexes[a] == index) {
                count += counts[a++];
            }
            if (b < other.indexes.length && other.indexes[b] == index) {
                count += other.counts[b++];
            }
            sum.add(index, count);
        }
        return sum.build();
    }

    /** The values that stand for the buckets of percentiles, in their order; there must be values, none of them outside the range. */
    double[] percentiles(double[] percentiles, HdrGrid grid, double min, double max) {
        HistogramPercentiles estimate =
                new HistogramPercentiles(percentiles, Arrays.stream(counts).sum());
        for (int i = 0; i < indexes.length; i++) {
            estimate.add((double) grid.middleOf(indexes[i]), counts[i]);
        }
        return estimate.within(min, max);
    }
}
