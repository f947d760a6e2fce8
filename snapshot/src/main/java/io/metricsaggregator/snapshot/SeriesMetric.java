package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.Percentile;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a series of values. Numbers are {@link Long}, {@link BigInteger} (only beyond 64 bits) or {@link Double}, and have the
 * same kind on the wire.
 *
 * @param name the wire name; nanoseconds if it ends with {@code _ns}, else tokens
 * @param count number of values
 * @param total sum of the values
 * @param min the smallest value; 0 without values
 * @param max the largest value; 0 without values
 * @param sumSq sum of the squares of the values
 * @param percentiles values by percentile, from {@code "99.9"} down
 * @param histogram log-spaced buckets; empty if there are no values
 * @param earlyStopping MLPerf's estimates for the grid at or above 50; null unless requested
 * @param detail the fields that MLCommons endpoints does not have; null in a snapshot of another daemon
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

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.series(this);
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

    /** The arithmetic mean in the unit of the series; null without values. */
    public @Nullable Double mean() {
        return count == 0 ? null : total.doubleValue() / count;
    }

    /** Converts an integer to the kind this record takes: {@link Long} if it fits into 64 bits, else itself. */
    public static Number whole(BigInteger value) {
        return value.bitLength() <= 63 ? (Number) value.longValue() : value;
    }
}
