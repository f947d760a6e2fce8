package io.metricsaggregator.web.model;

import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Values of a histogram and how often each occurred, in ascending order. Immutable.
 *
 * @param values those that stand for the buckets of the histogram, in the unit of the series
 * @param counts occurrences, each above 0
 * @param total sum of the counts
 */
@SuppressWarnings("ArrayRecordComponent") // read element by element, never compared
record ValueCounts(long[] values, long[] counts, long total) {
    static final ValueCounts NONE = new ValueCounts(new long[0], new long[0], 0);

    /**
     * The values that {@code after} has and {@code before} does not.
     *
     * @param before an earlier histogram of the same run; null for none
     * @return null if {@code before} has values that {@code after} lacks: the two belong to different runs
     */
    static @Nullable ValueCounts added(Histogram after, @Nullable Histogram before) {
        List<long[]> rows = new ArrayList<>();
        long total = 0;
        for (var each : after.recordedValues()) {
            long value = after.medianEquivalentValue(each.getValueIteratedTo());
            long count = each.getCountAddedInThisIterationStep() - (before == null ? 0 : before.getCountAtValue(value));
            if (count < 0) {
                return null;
            }
            if (count > 0) {
                rows.add(new long[] {value, count});
                total += count;
            }
        }
        // A value of the earlier histogram alone leaves the totals unequal.
        long expected = after.getTotalCount() - (before == null ? 0 : before.getTotalCount());
        return total == expected ? of(rows, total) : null;
    }

    private static ValueCounts of(List<long[]> rows, long total) {
        long[] values = new long[rows.size()];
        long[] counts = new long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i)[0];
            counts[i] = rows.get(i)[1];
        }
        return new ValueCounts(values, counts, total);
    }

    /** The values of all parts together. */
    static ValueCounts sum(List<ValueCounts> parts) {
        Map<Long, Long> sums = new TreeMap<>();
        long total = 0;
        for (ValueCounts part : parts) {
            for (int i = 0; i < part.values.length; i++) {
                sums.merge(part.values[i], part.counts[i], Long::sum);
            }
            total += part.total;
        }
        List<long[]> rows = new ArrayList<>();
        sums.forEach((value, count) -> rows.add(new long[] {value, count}));
        return of(rows, total);
    }

    /**
     * Estimates percentiles, in the order of the arguments.
     *
     * @param series all values of the run, within whose extremes these are
     * @param percentiles between 0 and 100
     * @return null without values
     */
    double @Nullable [] percentiles(SeriesMetric series, double... percentiles) {
        if (total == 0) {
            return null;
        }
        HistogramPercentiles estimate = new HistogramPercentiles(percentiles, total);
        for (int i = 0; i < values.length; i++) {
            estimate.add((double) values[i], counts[i]);
        }
        return estimate.within(series.min().doubleValue(), series.max().doubleValue());
    }
}
