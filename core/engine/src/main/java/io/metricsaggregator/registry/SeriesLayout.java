package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.histogram.LogBuckets;
import org.HdrHistogram.Histogram;

/**
 * What a series and its copies have in common.
 *
 * @param name its name in snapshots
 * @param range what its histogram can hold
 * @param significantFigures of its histogram, 1 to 5
 * @param displayBuckets buckets of the display histogram in snapshots, at least 1
 * @param grid the percentiles that it reports
 */
record SeriesLayout(String name, HdrRange range, int significantFigures, int displayBuckets, PercentileGrid grid) {

    /** Returns an empty histogram for the values of the series. */
    Histogram newHistogram() {
        return new Histogram(range.lowest(), range.highest(), significantFigures);
    }

    /** Returns empty display buckets for values of this range. */
    LogBuckets newBuckets(Statistics statistics) {
        return new LogBuckets(statistics.lowest(), statistics.highest(), displayBuckets);
    }

    /** Returns the layout of a series of another name. */
    SeriesLayout named(String other) {
        return new SeriesLayout(other, range, significantFigures, displayBuckets, grid);
    }
}
