package io.metricsaggregator.registry;

import org.HdrHistogram.Histogram;

/** Durations of the daemon's own work: percentiles to two figures. One owner; recording allocates nothing. */
public final class Meter {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;

    private final Histogram histogram = new Histogram(1, HIGHEST_NANOS, 2);
    private long max;
    private long recentMax;

    /** Records a duration that many times. */
    public void record(long nanos, long times) {
        if (times > 0) {
            histogram.recordValueWithCount(Math.max(0, Math.min(nanos, HIGHEST_NANOS)), times);
            max = Math.max(max, nanos);
            recentMax = Math.max(recentMax, nanos);
        }
    }

    /** A percentile, no more than the largest; 0 if there is none. */
    public long percentile(double percentile) {
        return histogram.getTotalCount() == 0 ? 0 : Math.min(max, histogram.getValueAtPercentile(percentile));
    }

    /** The largest. */
    public long max() {
        return max;
    }

    /** The largest since this was asked last. */
    public long takeRecentMax() {
        long recent = recentMax;
        recentMax = 0;
        return recent;
    }

    /** How many there were. */
    public long count() {
        return histogram.getTotalCount();
    }
}
