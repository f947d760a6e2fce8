package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.PercentileRank;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The percentiles every series reports, and which value each of them is. They descend. */
public final class PercentileGrid {
    private static final double[] STANDARD_PERCENTILES = {99.9, 99, 97, 95, 90, 80, 75, 50, 25, 10, 5, 1};

    /** Those of MLCommons endpoints. */
    public static final PercentileGrid STANDARD = new PercentileGrid(STANDARD_PERCENTILES);

    private final double[] percentiles;
    private final int bounded;

    private PercentileGrid(double[] descending) {
        percentiles = descending;
        bounded = (int) DoubleStream.of(descending).filter(p -> p >= 50).count();
    }

    /**
     * The usual percentiles and more.
     *
     * @param more each above 0 and below 100
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

    int size() {
        return percentiles.length;
    }

    /** How many of them, from the first, are at or above the median: those that can be bounded. */
    int bounded() {
        return bounded;
    }

    /** A percentile as a fraction. */
    double fraction(int i) {
        return percentiles[i] / 100;
    }

    /** The key of a percentile in a snapshot, such as {@code "99.0"}. */
    String key(int i) {
        return Percentile.key(percentiles[i]);
    }

    /** Places, from 0, of the exact percentiles among {@code count} sorted values; see {@link PercentileRank#ofValues}. */
    long[] exactRanks(long count) {
        long[] ranks = new long[percentiles.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = PercentileRank.ofValues(percentiles[i], count);
        }
        return ranks;
    }

    /**
     * Places, from 0, that follow those of the exact percentiles: between the two lies the percentile that interpolates. Only of the
     * usual percentiles, negative for the others: each place costs a look at the values around it.
     */
    long[] nextRanks(long count) {
        long[] ranks = exactRanks(count);
        for (int i = 0; i < ranks.length; i++) {
            double percentile = percentiles[i];
            boolean usual = DoubleStream.of(STANDARD_PERCENTILES).anyMatch(each -> each == percentile);
            ranks[i] = usual && count > 0 ? Math.min(count - 1, ranks[i] + 1) : -1;
        }
        return ranks;
    }

    /**
     * The usual percentiles with linear interpolation, as numpy has them by default: at p/100·(n−1) between the values on both sides.
     *
     * @param found the values at {@link #exactRanks}
     * @param next the values at {@link #nextRanks}
     */
    Map<String, Double> interpolated(long count, double[] found, double[] next) {
        long[] ranks = exactRanks(count);
        long[] nextRanks = nextRanks(count);
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < ranks.length; i++) {
            if (nextRanks[i] >= 0) {
                double share = percentiles[i] / 100.0 * (count - 1) - ranks[i];
                map.put(key(i), found[i] + share * (next[i] - found[i]));
            }
        }
        return map;
    }

    /** Rank, from 1, of a percentile of the histogram; see {@link PercentileRank#ofHistogram}. */
    long hdrRank(int i, long count) {
        return PercentileRank.ofHistogram(percentiles[i], count);
    }

    /** Values in the order of the grid, by key; what comes after them is ignored. */
    Map<String, Double> map(double[] values) {
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < percentiles.length; i++) {
            map.put(key(i), values[i]);
        }
        return map;
    }
}
