package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import io.metricsaggregator.snapshot.percentile.Linear;
import io.metricsaggregator.snapshot.percentile.MlcommonsRank;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The percentiles that every series reports, in descending order, and the place of each among sorted values. Immutable. */
public final class PercentileGrid {
    private static final double[] STANDARD_PERCENTILES = {99.9, 99, 97, 95, 90, 80, 75, 50, 25, 10, 5, 1};

    /** The percentiles of MLCommons endpoints: 99.9, 99, 97, 95, 90, 80, 75, 50, 25, 10, 5 and 1. */
    public static final PercentileGrid STANDARD = new PercentileGrid(STANDARD_PERCENTILES);

    private final double[] percentiles;
    private final int bounded;

    private PercentileGrid(double[] descending) {
        percentiles = descending;
        bounded = (int) DoubleStream.of(descending).filter(p -> p >= 50).count();
    }

    /**
     * Returns the standard percentiles together with others.
     *
     * @param more each above 0 and below 100
     * @throws IllegalArgumentException if one is not
     */
    public static PercentileGrid with(List<Double> more) {
        for (double percentile : more) {
            if (!(percentile > 0 && percentile < 100)) {
                throw new IllegalArgumentException("percentile " + percentile + " is not between 0 and 100");
            }
        }
        double[] ascending = DoubleStream.concat(
                        DoubleStream.of(STANDARD_PERCENTILES), more.stream().mapToDouble(Double::doubleValue))
                .distinct()
                .sorted()
                .toArray();
        double[] descending = new double[ascending.length];
        for (int i = 0; i < ascending.length; i++) {
            descending[i] = ascending[ascending.length - 1 - i];
        }
        return new PercentileGrid(descending);
    }

    /** Returns the percentiles in descending order. */
    double[] percentiles() {
        return percentiles.clone();
    }

    /** Number of percentiles. */
    int size() {
        return percentiles.length;
    }

    /** Number of percentiles at or above the median, which come first: those that can have a bound. */
    int bounded() {
        return bounded;
    }

    /** Returns a percentile as a fraction. */
    double fraction(int i) {
        return percentiles[i] / 100;
    }

    /** Returns the key of a percentile in snapshots, such as {@code "99.0"}. */
    String key(int i) {
        return Percentile.key(percentiles[i]);
    }

    /** Returns the places, from 0, of the exact percentiles among {@code count} sorted values; see {@link MlcommonsRank#ofValues}. */
    long[] exactRanks(long count) {
        long[] ranks = new long[percentiles.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = MlcommonsRank.ofValues(percentiles[i], count);
        }
        return ranks;
    }

    /**
     * Returns the places that follow those of the exact percentiles; an interpolated percentile lies between the values at the two.
     */
    long[] nextRanks(long count) {
        long[] ranks = exactRanks(count);
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = Math.min(count - 1, ranks[i] + 1);
        }
        return ranks;
    }

    /**
     * Returns the percentiles by {@link Linear}.
     *
     * @param found the values at {@link #exactRanks}
     * @param next the values at {@link #nextRanks}
     */
    Map<String, Double> interpolated(long count, double[] found, double[] next) {
        double[] values = new double[percentiles.length];
        for (int i = 0; i < values.length; i++) {
            double place = Linear.place(percentiles[i], count);
            values[i] = Linear.between(found[i], next[i], place - (long) place);
        }
        return map(values);
    }

    /** Starts an estimate of the percentiles by the same rule from a histogram of so many values. */
    HistogramPercentiles estimate(long count) {
        return new HistogramPercentiles(percentiles, count);
    }

    /** Returns the rank, from 1, of a percentile of the histogram; see {@link MlcommonsRank#ofHistogram}. */
    long hdrRank(int i, long count) {
        return MlcommonsRank.ofHistogram(percentiles[i], count);
    }

    /** Returns values in the order of the grid by their keys; further values are ignored. */
    Map<String, Double> map(double[] values) {
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < percentiles.length; i++) {
            map.put(key(i), values[i]);
        }
        return map;
    }
}
