package io.metricsaggregator.registry;

import java.util.LinkedHashMap;
import java.util.Map;

/** The percentiles every series reports, and which value each of them is. */
public final class PercentileGrid {
    private static final double[] PERCENTILES = {99.9, 99, 97, 95, 90, 80, 75, 50, 25, 10, 5, 1};

    /** How many of them, from the first, are at or above the median: those that can be bounded. */
    static final int BOUNDED = 8;

    private PercentileGrid() {}

    static int size() {
        return PERCENTILES.length;
    }

    /** A percentile as a fraction. */
    static double fraction(int i) {
        return PERCENTILES[i] / 100;
    }

    /** The key of a percentile in a snapshot, such as {@code "99.0"}. */
    static String key(int i) {
        return Double.toString(PERCENTILES[i]);
    }

    /** Places, from 0, of the exact percentiles among {@code count} sorted values: floor(p/100·(n−1)), in doubles. */
    static long[] exactRanks(long count) {
        long[] ranks = new long[PERCENTILES.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = (long) Math.floor(PERCENTILES[i] / 100.0 * (count - 1));
        }
        return ranks;
    }

    /** Place, from 1, of the histogram's percentile: max(1, int(p·n/100 + 0.5)), in doubles. */
    static long hdrRank(int i, long count) {
        return Math.max(1, (long) (PERCENTILES[i] * count / 100 + 0.5));
    }

    /** Values in the order of the grid, by key; what comes after them is ignored. */
    static Map<String, Double> map(double[] values) {
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < PERCENTILES.length; i++) {
            map.put(key(i), values[i]);
        }
        return map;
    }
}
