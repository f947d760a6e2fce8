package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a series as of one moment, without its values. Filled by the series' owner; rendered by another thread, or by the
 * owner itself at the end.
 */
public final class SeriesFreeze {
    final ExactSums sums = new ExactSums();
    final RealSums realSums = new RealSums();
    long min;
    long max;
    double realMin;
    double realMax;

    private static final long[] NO_RANKS = {};

    private final String name;
    private final boolean real;
    private final int displayBuckets;
    private final PercentileGrid grid;
    private final @Nullable Bounds bounds;
    private final Histogram histogram;
    private long count;
    private long clamped;
    private long negative;
    private @Nullable ByteBuffer encoded;
    private @Nullable SeriesMetric rendered;

    SeriesFreeze(Series series) {
        this.name = series.name;
        this.real = series instanceof DoubleSeries;
        this.displayBuckets = series.displayBuckets;
        this.grid = series.grid;
        this.bounds = series.certified ? new Bounds(series.grid) : null;
        this.histogram = new Histogram(series.range.lowest(), series.range.highest(), series.significantFigures);
    }

    void copyCommon(Series series) {
        if (count != series.count) {
            series.histogram.copyInto(histogram);
        }
        count = series.count;
        clamped = series.clamped;
        negative = series.negative;
    }

    /** Places of the values that bound its percentiles; none for a series that is not certified. */
    private long[] boundRanks() {
        return bounds == null ? NO_RANKS : bounds.ranks(count);
    }

    /** Places of all values that are wanted beside the percentiles: those of the bounds, then the neighbours of the percentiles. */
    long[] furtherRanks() {
        long[] bounding = boundRanks();
        long[] next = grid.nextRanks(count);
        long[] ranks = Arrays.copyOf(bounding, bounding.length + next.length);
        System.arraycopy(next, 0, ranks, bounding.length, next.length);
        return ranks;
    }

    /**
     * Renders the series with percentiles of its histogram.
     *
     * @param estimates whether MLPerf's estimates are wanted
     */
    SeriesMetric render(boolean estimates) {
        SeriesMetric last = rendered;
        if (last != null && last.count() == count && !estimates) {
            // Nothing was recorded since: it would come out the same.
            return last;
        }
        SeriesMetric metric = renderAnew(estimates);
        rendered = estimates ? null : metric;
        return metric;
    }

    private SeriesMetric renderAnew(boolean estimates) {
        double[] percentiles = new double[grid.size()];
        LogBuckets buckets = new LogBuckets(real ? realMin : min, real ? realMax : max, displayBuckets);
        long[] ranks = boundRanks();
        double[] bounding = new double[ranks.length];
        if (count > 0) {
            fillFromHistogram(percentiles, ranks, bounding, buckets);
        }
        return render(
                grid.map(percentiles),
                count == 0 ? List.of() : buckets.buckets(),
                certify(ranks, bounding),
                Map.of(),
                count == 0,
                estimates);
    }

    private Map<String, Certificate> certify(long[] ranks, double[] values) {
        return bounds == null ? Map.of() : bounds.certify(count, ranks, values);
    }

    /** Renders it with percentiles, bounds and buckets of its values. */
    SeriesMetric render(ExactPass exact, boolean estimates) {
        long[] ranks = boundRanks();
        double[] further = exact.further();
        double[] next = Arrays.copyOfRange(further, ranks.length, further.length);
        return render(
                exact.percentiles(),
                exact.buckets(),
                certify(ranks, further),
                grid.interpolated(count, exact.found(), next),
                true,
                estimates);
    }

    private void fillFromHistogram(double[] percentiles, long[] ranks, double[] bounding, LogBuckets buckets) {
        long seen = 0;
        // The grid descends, the histogram ascends.
        int next = percentiles.length - 1;
        int nextBound = ranks.length - 1;
        for (HistogramIterationValue step : histogram.recordedValues()) {
            long inBucket = step.getCountAddedInThisIterationStep();
            long value = histogram.highestEquivalentValue(step.getValueIteratedTo());
            seen += inBucket;
            buckets.add(buckets.bucketOf((double) value), inBucket);
            while (next >= 0 && seen >= grid.hdrRank(next, count)) {
                percentiles[next--] = (double) value;
            }
            while (nextBound >= 0 && seen > ranks[nextBound]) {
                bounding[nextBound--] = (double) value;
            }
        }
    }

    private SeriesMetric render(
            Map<String, Double> percentiles,
            List<HistogramBucket> buckets,
            Map<String, Certificate> certification,
            Map<String, Double> interpolated,
            boolean exact,
            boolean estimates) {
        Map<String, @Nullable Double> early = estimates && bounds != null ? Bounds.estimates(certification) : null;
        SeriesDetail detail = new SeriesDetail(
                exact,
                clamped,
                negative,
                real ? realSums.standardDeviation() : sums.standardDeviation(count),
                certification,
                interpolated,
                encode());
        if (real) {
            // An empty series of reals has integers for its smallest and largest: so the reference, and so its readers.
            Number low = count == 0 ? (Number) 0L : (Number) realMin;
            Number high = count == 0 ? (Number) 0L : (Number) realMax;
            return new SeriesMetric(
                    name, count, realSums.total(), low, high, realSums.squares(), percentiles, buckets, early, detail);
        }
        Number squares = count == 0 ? (Number) 0L : (Number) sums.squares().doubleValue();
        return new SeriesMetric(
                name, count, SeriesMetric.whole(sums.total()), min, max, squares, percentiles, buckets, early, detail);
    }

    /** HdrHistogram's compressed form, which any of its ports reads and merges. */
    private byte[] encode() {
        int capacity = histogram.getNeededByteBufferCapacity();
        ByteBuffer into = encoded;
        if (into == null || into.capacity() < capacity) {
            into = ByteBuffer.allocate(capacity);
            encoded = into;
        }
        into.clear();
        histogram.encodeIntoCompressedByteBuffer(into, Deflater.BEST_SPEED);
        byte[] bytes = new byte[into.position()];
        into.get(0, bytes);
        return bytes;
    }
}
