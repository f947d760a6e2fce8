package io.metricsaggregator.registry;

import org.HdrHistogram.Histogram;

/**
 * Durations of the daemon's own work in nanoseconds; percentiles have two significant figures. Not thread-safe; recording allocates nothing. A
 * percentile is searched from where it was found last, so that an idle daemon does not search thousands of empty buckets at each tick.
 */
public final class Meter {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;

    private final Histogram histogram = new Histogram(1, HIGHEST_NANOS, 2);
    private final Rank median = new Rank(50);
    private final Rank tail = new Rank(99);
    private long max;
    private long recentMax;

    /** Records a duration {@code times} times; not at all if that is 0 or less. */
    public void record(long nanos, long times) {
        if (times > 0) {
            long recorded = Math.max(0, Math.min(nanos, HIGHEST_NANOS));
            histogram.recordValueWithCount(recorded, times);
            median.recorded(recorded, times);
            tail.recorded(recorded, times);
            max = Math.max(max, nanos);
            recentMax = Math.max(recentMax, nanos);
        }
    }

    /** Returns the median, no more than the largest duration; 0 if none was recorded. */
    public long p50() {
        return percentile(median);
    }

    /** Returns the 99th percentile, no more than the largest duration; 0 if none was recorded. */
    public long p99() {
        return percentile(tail);
    }

    private long percentile(Rank rank) {
        return histogram.getTotalCount() == 0 ? 0 : Math.min(max, rank.find(histogram));
    }

    /** Returns the largest duration; 0 if none was recorded. */
    public long max() {
        return max;
    }

    /** Returns the largest duration since the previous call; 0 if none was recorded since. */
    public long takeRecentMax() {
        long recent = recentMax;
        recentMax = 0;
        return recent;
    }

    /** Number of durations recorded. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The bucket of a histogram that holds one percentile. */
    private static final class Rank {
        /** As HdrHistogram rounds it. */
        private final double percentile;
        /** Lowest value of the bucket found last. */
        private long bucket;
        /** Number of values below {@code bucket}. */
        private long below;

        Rank(double percentile) {
            this.percentile = Math.nextAfter(percentile, Double.NEGATIVE_INFINITY);
        }

        void recorded(long value, long times) {
            if (value < bucket) {
                below += times;
            }
        }

        long find(Histogram histogram) {
            long rank = Math.max(1, (long) Math.ceil(percentile * histogram.getTotalCount() / 100.0));
            while (below >= rank) {
                bucket = histogram.lowestEquivalentValue(bucket - 1);
                below -= histogram.getCountAtValue(bucket);
            }
            long inBucket = histogram.getCountAtValue(bucket);
            while (below + inBucket < rank) {
                below += inBucket;
                bucket = histogram.nextNonEquivalentValue(bucket);
                inBucket = histogram.getCountAtValue(bucket);
            }
            return histogram.highestEquivalentValue(bucket);
        }
    }
}
