package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;

/**
 * The buckets of an HdrHistogram: how values map to indexes of its counts. Two histograms with the same {@code lowest} and significant figures have the
 * same buckets; {@code highest} only decides how many there are. Immutable.
 */
public final class HdrGrid {
    private static final int FIGURES_MAX = 5;

    private final long lowest;
    private final long highest;
    private final int significantFigures;
    private final int unitMagnitude;
    private final int halfMagnitude;
    private final int halfCount;
    private final long subBucketMask;
    private final int length;

    /**
     * A grid.
     *
     * @param lowest lowest value that is told from 0, at least 1
     * @param highest largest value that the histogram holds, at least twice {@code lowest}
     * @param significantFigures precision, 1 to 5
     * @throws IllegalArgumentException if one is outside its range
     */
    public HdrGrid(long lowest, long highest, int significantFigures) {
        if (lowest < 1 || lowest > Long.MAX_VALUE / 4 || highest < 2 * lowest || highest > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a histogram of values from " + lowest + " to " + highest);
        }
        if (significantFigures < 1 || significantFigures > FIGURES_MAX) {
            throw new IllegalArgumentException("a histogram with " + significantFigures + " significant figures");
        }
        this.lowest = lowest;
        this.highest = highest;
        this.significantFigures = significantFigures;
        long singleUnitResolution = 2 * (long) Math.pow(10, significantFigures);
        this.unitMagnitude = 63 - Long.numberOfLeadingZeros(lowest);
        this.halfMagnitude = 63 - Long.numberOfLeadingZeros(singleUnitResolution - 1);
        this.halfCount = 1 << halfMagnitude;
        if (unitMagnitude + halfMagnitude > 61) {
            throw new IllegalArgumentException(
                    "a histogram from " + lowest + " with " + significantFigures + " significant figures");
        }
        this.subBucketMask = ((2L << halfMagnitude) - 1) << unitMagnitude;
        this.length = indexOf(highest) + 1;
    }

    /** The index of the count of a value from 0 to {@code highest}. */
    public int indexOf(long value) {
        int bucket = 63 - unitMagnitude - halfMagnitude - Long.numberOfLeadingZeros(value | subBucketMask);
        int subBucket = (int) (value >>> (bucket + unitMagnitude));
        // The same as a shift, by a number known at run time only, and faster.
        return bucket * halfCount + subBucket;
    }

    /** Whether counts of both histograms add up index by index. */
    public boolean sameBuckets(HdrGrid other) {
        return significantFigures == other.significantFigures && unitMagnitude == other.unitMagnitude;
    }

    /** The same buckets for values up to {@code other}. */
    HdrGrid upTo(long other) {
        return other > highest ? new HdrGrid(lowest, other, significantFigures) : this;
    }

    /** Lowest value that is told from 0. */
    public long lowest() {
        return lowest;
    }

    /** Largest value that the histogram holds. */
    public long highest() {
        return highest;
    }

    /** Precision, 1 to 5. */
    public int significantFigures() {
        return significantFigures;
    }

    /** Number of counts of a histogram with this grid. */
    public int length() {
        return length;
    }

    /** The largest value whose count is at an index. */
    public long highestOf(int index) {
        return lowestOf(index + 1) - 1;
    }

    /** The value that stands for those whose count is at an index; see {@link HistogramPercentiles#middle}. */
    public long middleOf(int index) {
        long low = lowestOf(index);
        return HistogramPercentiles.middle(low, lowestOf(index + 1) - low);
    }

    /** The smallest value whose count is at an index. */
    public long lowestOf(int index) {
        int bucket = (index >> halfMagnitude) - 1;
        int subBucket = (index & (halfCount - 1)) + halfCount;
        return bucket < 0
                ? (long) (subBucket - halfCount) << unitMagnitude
                : (long) subBucket << (bucket + unitMagnitude);
    }
}
