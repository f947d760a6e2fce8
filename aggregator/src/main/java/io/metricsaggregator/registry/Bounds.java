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
    private static final long[] LEAST = least();

    private final long[] orders = new long[PercentileGrid.BOUNDED];
    private long count;

    private static long[] least() {
        long[] least = new long[PercentileGrid.BOUNDED];
        for (int i = 0; i < least.length; i++) {
            least[i] = EarlyStopping.minPassing(1, PercentileGrid.fraction(i)) + 1;
        }
        return least;
    }

    /**
     * Places of the bounds among {@code newCount} ascending values, from 0; negative where there is none. They descend with the
     * percentiles.
     */
    long[] ranks(long newCount) {
        if (newCount != count) {
            for (int i = 0; i < orders.length; i++) {
                orders[i] = EarlyStopping.order(newCount, PercentileGrid.fraction(i));
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
    static Map<String, Certificate> certify(long count, long[] ranks, double[] values) {
        Map<String, Certificate> certificates = new LinkedHashMap<>();
        for (int i = 0; i < ranks.length; i++) {
            certificates.put(
                    PercentileGrid.key(i),
                    new Certificate(ranks[i] < 0 ? null : (Double) values[i], Math.max(0, LEAST[i] - count)));
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
