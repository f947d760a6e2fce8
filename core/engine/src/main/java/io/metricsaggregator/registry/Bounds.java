package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds of percentiles from the values of a series, with confidence 0.99 ({@link EarlyStopping}). Caches the places of the bounds
 * for the last number of values. Belongs to one thread at a time.
 */
final class Bounds {
    /** For each percentile, the least number of values with which it has a bound; that bound is then the largest value. */
    private final long[] least;

    private final PercentileGrid grid;
    private final long[] orders;
    private long count;

    Bounds(PercentileGrid grid) {
        this.grid = grid;
        this.orders = new long[grid.bounded()];
        this.least = new long[orders.length];
        for (int i = 0; i < least.length; i++) {
            least[i] = EarlyStopping.minPassing(1, grid.fraction(i)) + 1;
        }
    }

    /**
     * Returns the places of the bounds among {@code newCount} ascending values, from 0; negative where there is no bound. They descend
     * with the percentiles.
     */
    long[] ranks(long newCount) {
        if (newCount != count) {
            for (int i = 0; i < orders.length; i++) {
                orders[i] = EarlyStopping.order(newCount, grid.fraction(i));
            }
            count = newCount;
        }
        long[] ranks = new long[orders.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = orders[i] == 0 ? -1 : count - orders[i];
        }
        return ranks;
    }

    /**
     * Returns the bound of each percentile, and how many more values it needs if it has none.
     *
     * @param values the values at the places of {@link #ranks}
     */
    Map<String, Certificate> certify(long count, long[] ranks, double[] values) {
        Map<String, Certificate> certificates = new LinkedHashMap<>();
        for (int i = 0; i < ranks.length; i++) {
            certificates.put(
                    grid.key(i),
                    new Certificate(ranks[i] < 0 ? null : (Double) values[i], Math.max(0, least[i] - count)));
        }
        return certificates;
    }

    /** Returns MLPerf's early-stopping estimates: the bounds alone; null where there is none. */
    static Map<String, @Nullable Double> estimates(Map<String, Certificate> certificates) {
        Map<String, @Nullable Double> estimates = new LinkedHashMap<>();
        certificates.forEach((percentile, certificate) -> estimates.put(percentile, certificate.upperBound()));
        return estimates;
    }
}
