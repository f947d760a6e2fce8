package io.metricsaggregator.registry;

/**
 * Which bucket of an HDR histogram a value falls into, by the formula of HdrHistogram for a lowest discernible value of 1
 * (AbstractHistogram.countsArrayIndex). The same function orders buckets as it orders values.
 */
final class HdrLayout {
    private final int halfCountMagnitude;
    private final int halfCount;
    private final int leadingZerosBase;
    private final long subBucketMask;
    private final int length;

    /**
     * A layout.
     *
     * @param significantFigures 1 to 5
     * @param highest the highest value to be indexed
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

    /** Number of buckets. */
    int length() {
        return length;
    }

    /** The bucket of a value from 0 to the highest. */
    int index(long value) {
        int bucket = leadingZerosBase - Long.numberOfLeadingZeros(value | subBucketMask);
        int subBucket = (int) (value >>> bucket);
        return ((bucket + 1) << halfCountMagnitude) + subBucket - halfCount;
    }

    /** The smallest value of a bucket. */
    long lowestOf(int index) {
        int bucket = (index >> halfCountMagnitude) - 1;
        int subBucket = (index & (halfCount - 1)) + halfCount;
        if (bucket < 0) {
            return (long) subBucket - halfCount;
        }
        return (long) subBucket << bucket;
    }

    /** The largest value of a bucket. */
    long highestOf(int index) {
        return lowestOf(index + 1) - 1;
    }
}
