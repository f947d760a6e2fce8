package io.metricsaggregator.registry;

/**
 * Maps values to buckets of an HDR histogram by the formula of HdrHistogram for a lowest discernible value of 1
 * (AbstractHistogram.countsArrayIndex). Larger values have the same or a larger bucket. Immutable.
 */
final class HdrLayout {
    private final int halfCountMagnitude;
    private final int halfCount;
    private final int leadingZerosBase;
    private final long subBucketMask;
    private final int length;

    /**
     * The layout of a histogram.
     *
     * @param significantFigures of the histogram, 1 to 5
     * @param highest the largest value to be mapped
     */
    HdrLayout(int significantFigures, long highest) {
        long singleUnitResolution = 2 * (long) Math.pow(10, significantFigures);
        int countMagnitude = 64 - Long.numberOfLeadingZeros(singleUnitResolution - 1);
        halfCountMagnitude = countMagnitude - 1;
        halfCount = 1 << halfCountMagnitude;
        leadingZerosBase = 64 - countMagnitude;
        subBucketMask = (1L << countMagnitude) - 1;
        length = index(highest) + 1;
    }

    /** Number of buckets up to that of the largest value. */
    int length() {
        return length;
    }

    /** Returns the bucket of a value from 0 to the largest. */
    int index(long value) {
        int bucket = leadingZerosBase - Long.numberOfLeadingZeros(value | subBucketMask);
        int subBucket = (int) (value >>> bucket);
        return ((bucket + 1) << halfCountMagnitude) + subBucket - halfCount;
    }

    /** Returns the smallest value of a bucket. */
    long lowestOf(int index) {
        int bucket = (index >> halfCountMagnitude) - 1;
        int subBucket = (index & (halfCount - 1)) + halfCount;
        if (bucket < 0) {
            return (long) subBucket - halfCount;
        }
        return (long) subBucket << bucket;
    }

    /** Returns the largest value of a bucket. */
    long highestOf(int index) {
        return lowestOf(index + 1) - 1;
    }
}
