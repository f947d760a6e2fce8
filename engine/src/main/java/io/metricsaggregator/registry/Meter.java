package io.metricsaggregator.registry;

import org.HdrHistogram.Histogram;

/** Durations of the daemon's own work in nanoseconds; percentiles have two significant figures. Not thread-safe; recording allocates nothing. */
public final class Meter {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;

    private final Histogram histogram = new Histogram(1, HIGHEST_NANOS, 2);
    private long max;
    private long recentMax;

    /** Records a duration {@code times} times; not at all if that is 0 or less. */
    public void record(long nanos, long times) {
        if (times > 0) {
            histogram.recordValueWithCount(Math.max(0, Math.min(nanos, HIGHEST_NANOS)), times);
            max = Math.max(max, nanos);
            recentMax = Math.max(recentMax, nanos);
        }
    }

    /** Returns a percentile from 0 to 100, no more than the largest duration; 0 if none was recorded. */
    public long percentile(double percentile) {
        return histogram.getTotalCount() == 0 ? 0 : Math.min(max, histogram.getValueAtPercentile(percentile));
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
}
