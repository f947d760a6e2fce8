package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.Percentile;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a series of values. Numbers are {@link Long}, {@link BigInteger} (only beyond 64 bits) or {@link Double}; the
 * kind matters, since it is the same on the wire.
 *
 * @param name its name; the unit is its suffix
 * @param count number of values
 * @param total their sum
 * @param min the smallest; 0 if there is none
 * @param max the largest; 0 if there is none
 * @param sumSq the sum of their squares
 * @param percentiles the grid, from {@code "99.9"} down, to values
 * @param histogram log-spaced buckets; empty if there are no values
 * @param earlyStopping MLPerf's estimates for the grid at or above 50; null unless asked for
 * @param detail what this project adds; null in a snapshot of another daemon
 */
public record SeriesMetric(
        String name,
        long count,
        Number total,
        Number min,
        Number max,
        Number sumSq,
        Map<String, Double> percentiles,
        List<HistogramBucket> histogram,
        @Nullable Map<String, @Nullable Double> earlyStopping,
        @Nullable SeriesDetail detail)
        implements Metric {

    public SeriesMetric {
        if (count < 0) {
            throw new IllegalArgumentException("count " + count + " of series " + name + " is negative");
        }
        requireKnownKind(name, total);
        requireKnownKind(name, min);
        requireKnownKind(name, max);
        requireKnownKind(name, sumSq);
        percentiles = Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
        histogram = List.copyOf(histogram);
        earlyStopping = earlyStopping == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(earlyStopping));
    }

    private static void requireKnownKind(String name, Number number) {
        if (!(number instanceof Long || number instanceof BigInteger || number instanceof Double)) {
            throw new IllegalArgumentException("series " + name + " holds a " + number.getClass());
        }
    }

    /** The value of a percentile; null if the grid lacks it. */
    public @Nullable Double percentile(Percentile percentile) {
        return percentiles.get(percentile.key());
    }

    /** The value of a percentile by its key, such as {@code "99.0"}; null if the grid lacks it. */
    public @Nullable Double percentile(String key) {
        return percentiles.get(key);
    }

    /** The mean; null if there are no values. */
    public @Nullable Double mean() {
        return count == 0 ? null : total.doubleValue() / count;
    }

    /** Brings an integer to the kind this record wants: {@link Long} if it fits. */
    public static Number whole(BigInteger value) {
        return value.bitLength() <= 63 ? (Number) value.longValue() : value;
    }
}
