package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.HistogramBucket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A series' display histogram: log-spaced edges from max(min, 1) to max(max, 10 × the low edge). A value below the first edge
 * counts in the first bucket, one at or beyond the last edge in the last.
 */
final class LogBuckets {
    private final double[] edges;
    private final long[] counts;

    LogBuckets(double min, double max, int buckets) {
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

    /** The bucket of a value. */
    int bucketOf(double value) {
        int found = Arrays.binarySearch(edges, value);
        int bucket = found >= 0 ? found : -found - 2;
        return Math.max(0, Math.min(bucket, counts.length - 1));
    }

    void add(int bucket, long count) {
        counts[bucket] += count;
    }

    List<HistogramBucket> buckets() {
        List<HistogramBucket> buckets = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            buckets.add(new HistogramBucket(edges[i], edges[i + 1], counts[i]));
        }
        return buckets;
    }
}
