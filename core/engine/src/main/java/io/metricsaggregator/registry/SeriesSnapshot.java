package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.histogram.HdrCounts;
import io.metricsaggregator.snapshot.histogram.HdrGrid;
import io.metricsaggregator.snapshot.histogram.LogBuckets;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a series as of one moment, without its values, reused for later copies. The owner of the series fills it; one other thread
 * may render it until it is filled again.
 */
final class SeriesSnapshot {
    private static final long[] NO_RANKS = {};

    private final SeriesLayout layout;
    private final @Nullable Bounds bounds;
    private final HistogramEncoder encoder;
    private final HdrGrid hdr;
    /** Null before the first value. */
    private @Nullable Histogram histogram;

    private Statistics statistics = new LongStatistics();
    private long clamped;
    /** Of a difference, the number of values that were taken away. */
    private long takenAway;

    private @Nullable SeriesMetric rendered;

    /**
     * An empty copy.
     *
     * @param certified whether renderings state what bounds the percentiles
     * @param encoder writes its histogram; shared by the copies of a registry
     */
    SeriesSnapshot(SeriesLayout layout, boolean certified, HistogramEncoder encoder) {
        this.layout = layout;
        this.bounds = certified ? new Bounds(layout.grid()) : null;
        this.encoder = encoder;
        this.hdr = new HdrGrid(layout.range().lowest(), layout.range().highest(), layout.significantFigures());
    }

    /** Adds the values of a series after the first ones to a histogram that holds those. */
    interface Latest {
        /** Adds the values after the first {@code present}; returns false, and adds none, if there are too many. */
        boolean addTo(Histogram histogram, long present);
    }

    /**
     * Replaces the copy. Values recorded since the last one are added to the histogram, or, if there are too many, the histogram is copied: its
     * thirty thousand counts cost more than a thousand values.
     *
     * @param from null for a series without values
     */
    void set(@Nullable Histogram from, Latest latest, Statistics copy, long clampedValues) {
        if (from == null) {
            histogram = null;
        } else if (statistics.count() != copy.count()) {
            Histogram into = shown();
            if (!latest.addTo(into, statistics.count())) {
                from.copyInto(into);
            }
            histogram = into;
        }
        statistics = copy;
        clamped = clampedValues;
    }

    /**
     * Replaces the copy by the values of one series that remain when those of another are taken away; computed only if they changed since the last
     * call. An extreme that both series share is known within the precision of the histogram.
     *
     * @param whole the copy of a series
     * @param part the copy of a series with the same layout
     * @return false if not all values of {@code part} are in {@code whole}, as in the file of a forger
     */
    boolean setDifference(SeriesSnapshot whole, SeriesSnapshot part) {
        Histogram all = whole.histogram;
        Histogram away = part.histogram;
        if (all == null || away == null || !(whole.statistics instanceof LongStatistics from)) {
            return false;
        }
        if (count() == whole.count() - part.count() && takenAway == part.count()) {
            return true;
        }
        Histogram into = shown();
        all.copyInto(into);
        try {
            into.subtract(away);
        } catch (IllegalArgumentException e) {
            return false;
        }
        histogram = into;
        rendered = null;
        takenAway = part.count();
        clamped = whole.clamped - part.clamped;
        statistics = from.without((LongStatistics) part.statistics, into);
        return true;
    }

    /** Sets the extremes of a {@link #setDifference difference} that were found among its values. */
    void setExtremes(long min, long max) {
        ((LongStatistics) statistics).setExtremes(min, max);
    }

    /** Returns an empty copy with the layout of this one under another name. */
    SeriesSnapshot named(String other, HistogramEncoder shared) {
        return new SeriesSnapshot(layout.named(other), bounds != null, shared);
    }

    String name() {
        return layout.name();
    }

    long count() {
        return statistics.count();
    }

    /** Returns the places of the values that bound its percentiles; none for a series that is not certified. */
    private long[] boundRanks() {
        return bounds == null ? NO_RANKS : bounds.ranks(count());
    }

    /** Returns the places of values needed beside the percentiles: those of the bounds, then the neighbours of the percentiles. */
    long[] furtherRanks() {
        long[] bounding = boundRanks();
        long[] next = layout.grid().nextRanks(count());
        long[] ranks = Arrays.copyOf(bounding, bounding.length + next.length);
        System.arraycopy(next, 0, ranks, bounding.length, next.length);
        return ranks;
    }

    /**
     * Renders the series with percentiles of its histogram.
     *
     * @param estimates whether to include MLPerf's early-stopping estimates
     */
    SeriesMetric render(boolean estimates) {
        SeriesMetric last = rendered;
        if (last != null && last.count() == count() && !estimates) {
            // Nothing was recorded since, so the rendering is the same.
            return last;
        }
        SeriesMetric metric = renderHistogram(estimates);
        rendered = estimates ? null : metric;
        return metric;
    }

    private Histogram shown() {
        return histogram == null ? layout.newHistogram() : histogram;
    }

    private SeriesMetric renderHistogram(boolean estimates) {
        double[] percentiles = new double[layout.grid().size()];
        LogBuckets buckets = layout.newBuckets(statistics);
        long[] ranks = boundRanks();
        double[] bounding = new double[ranks.length];
        HistogramPercentiles estimate = layout.grid().estimate(count());
        byte[] encoded = encoder.encode(shown());
        if (count() > 0) {
            fillFromEncoded(percentiles, ranks, bounding, buckets, estimate);
        }
        return render(
                layout.grid().map(percentiles),
                count() == 0 ? List.of() : buckets.buckets(),
                certify(ranks, bounding),
                layout.grid().map(estimate.of(statistics.lowest(), statistics.highest())),
                count() == 0,
                estimates,
                encoded);
    }

    private Map<String, Certificate> certify(long[] ranks, double[] values) {
        return bounds == null ? Map.of() : bounds.certify(count(), ranks, values);
    }

    /**
     * Renders the series with percentiles, bounds and buckets of its values.
     *
     * @param exact at the places of {@link #furtherRanks}
     * @param estimates whether to include MLPerf's early-stopping estimates
     */
    SeriesMetric render(ExactValues exact, boolean estimates) {
        long[] ranks = boundRanks();
        double[] further = exact.further();
        double[] next = Arrays.copyOfRange(further, ranks.length, further.length);
        return render(
                layout.grid().map(exact.percentiles()),
                exact.buckets(),
                certify(ranks, further),
                layout.grid().interpolated(count(), exact.percentiles(), next),
                true,
                estimates,
                encoder.encode(shown()));
    }

    private void fillFromEncoded(
            double[] percentiles, long[] ranks, double[] bounding, LogBuckets buckets, HistogramPercentiles estimate) {
        long all = count();
        encoder.forEach(new HdrCounts.Sink() {
            private long seen;
            // The grid descends, the histogram ascends.
            private int next = percentiles.length - 1;
            private int nextBound = ranks.length - 1;

            @Override
            public void count(int index, long inBucket) {
                long value = hdr.highestOf(index);
                seen += inBucket;
                buckets.add(buckets.bucketOf((double) value), inBucket);
                estimate.add((double) hdr.middleOf(index), inBucket);
                while (next >= 0 && seen >= layout.grid().hdrRank(next, all)) {
                    percentiles[next--] = (double) value;
                }
                while (nextBound >= 0 && seen > ranks[nextBound]) {
                    bounding[nextBound--] = (double) value;
                }
            }
        });
    }

    private SeriesMetric render(
            Map<String, Double> percentiles,
            List<HistogramBucket> buckets,
            Map<String, Certificate> certification,
            Map<String, Double> interpolated,
            boolean exact,
            boolean estimates,
            byte[] encoded) {
        Map<String, @Nullable Double> early = estimates && bounds != null ? Bounds.estimates(certification) : null;
        SeriesDetail detail = new SeriesDetail(
                exact,
                clamped,
                statistics.negative(),
                statistics.standardDeviation(),
                certification,
                interpolated,
                encoded);
        return new SeriesMetric(
                layout.name(),
                count(),
                statistics.total(),
                statistics.min(),
                statistics.max(),
                statistics.squares(),
                percentiles,
                buckets,
                early,
                detail);
    }
}
