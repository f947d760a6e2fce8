package io.metricsaggregator.fleet;

/**
 * The buckets of an HdrHistogram: how values map to indexes of its counts. Two histograms with the same {@code lowest} and
 * {@code significantFigures} have the same buckets; {@code highest} only decides how many there are. Immutable.
 *
 * @param lowest lowest value that is told from 0, at least 1
 * @param highest largest value that the histogram holds, at least twice {@code lowest}
 * @param significantFigures precision, 1 to 5
 */
record HdrGrid(long lowest, long highest, int significantFigures) {
    HdrGrid {
        if (lowest < 1 || highest < 2 * lowest || highest > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a histogram of values from " + lowest + " to " + highest);
        }
        if (significantFigures < 1 || significantFigures > 5) {
            throw new IllegalArgumentException("a histogram with " + significantFigures + " significant figures");
        }
    }

    /** Whether counts of both histograms add up index by index. */
    boolean sameBuckets(HdrGrid other) {
        return significantFigures == other.significantFigures && unitMagnitude() == other.unitMagnitude();
    }

    /** The wider of two grids with the same buckets. */
    HdrGrid wider(HdrGrid other) {
        return other.highest > highest ? other : this;
    }

    private int unitMagnitude() {
        return 63 - Long.numberOfLeadingZeros(lowest);
    }

    private int halfCountMagnitude() {
        long singleUnitResolution = 2 * (long) Math.pow(10, significantFigures);
        return 63 - Long.numberOfLeadingZeros(singleUnitResolution - 1);
    }

    /** Number of counts of a histogram with this grid. */
    int length() {
        return indexOf(highest) + 1;
    }

    private int indexOf(long value) {
        int halfMagnitude = halfCountMagnitude();
        long mask = ((2L << halfMagnitude) - 1) << unitMagnitude();
        int bucket = 63 - unitMagnitude() - halfMagnitude - Long.numberOfLeadingZeros(value | mask);
        int subBucket = (int) (value >>> (bucket + unitMagnitude()));
        return ((bucket + 1) << halfMagnitude) + subBucket - (1 << halfMagnitude);
    }

    /** The largest value whose count is at an index. */
    long highestOf(int index) {
        return lowestOf(index + 1) - 1;
    }

    private long lowestOf(int index) {
        int halfMagnitude = halfCountMagnitude();
        int half = 1 << halfMagnitude;
        int bucket = (index >> halfMagnitude) - 1;
        int subBucket = (index & (half - 1)) + half;
        return bucket < 0
                ? (long) (subBucket - half) << unitMagnitude()
                : (long) subBucket << (bucket + unitMagnitude());
    }
}
