package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.snapshot.HistogramBucket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The display histogram of a series, with log-spaced edges from max(min, 1) to max(max, 10 × the low edge), as in MLCommons endpoints. A
 * value below the first edge counts in the first bucket, one at or beyond the last edge in the last. Not thread-safe; {@link #bucketOf}
 * is.
 */
public final class LogBuckets {
    private final double[] edges;
    private final long[] counts;

    /**
     * Empty buckets.
     *
     * @param buckets number of buckets, at least 1
     */
    public LogBuckets(double min, double max, int buckets) {
        double low = Math.max(min, 1);
        double high = Math.max(max, 10 * low);
        double logLow = Math.log(low);
        double step = (Math.log(high) - logLow) / buckets;
        edges = new double[buckets + 1];
        for (int i = 0; i <= buckets; i++) {
            edges[i] = Math.exp(logLow + i * step);
        }
        counts = new long[buckets];
    }

    /** Returns the bucket of a value. */
    public int bucketOf(double value) {
        int found = Arrays.binarySearch(edges, value);
        int bucket = found >= 0 ? found : -found - 2;
        return Math.max(0, Math.min(bucket, counts.length - 1));
    }

    /** Adds to the count of a bucket; a negative number takes away. */
    public void add(int bucket, long count) {
        counts[bucket] += count;
    }

    /** Returns the buckets in ascending order. */
    public List<HistogramBucket> buckets() {
        List<HistogramBucket> buckets = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            buckets.add(new HistogramBucket(edges[i], edges[i + 1], counts[i]));
        }
        return buckets;
    }
}
