package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a series bound its percentiles, and what that certifies. Remembers the answer for the length it was asked for
 * last. One owner at a time.
 */
final class Bounds {
    /** For each percentile, with how many values there is a bound first: the largest of them. */
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
     * Places of the bounds among {@code newCount} ascending values, from 0; negative where there is none. They descend with the
     * percentiles.
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
     * What is certified of a series.
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

    /** The estimates of MLPerf's early stopping: the bounds alone. */
    static Map<String, @Nullable Double> estimates(Map<String, Certificate> certificates) {
        Map<String, @Nullable Double> estimates = new LinkedHashMap<>();
        certificates.forEach((percentile, certificate) -> estimates.put(percentile, certificate.upperBound()));
        return estimates;
    }
}
