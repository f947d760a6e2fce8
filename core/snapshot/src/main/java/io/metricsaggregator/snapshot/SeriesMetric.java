package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.fields.FixedMap;
import io.metricsaggregator.snapshot.percentile.Certainty;
import io.metricsaggregator.snapshot.percentile.Linear;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a series of values. Numbers are {@link Long}, {@link BigInteger} (only beyond 64 bits) or {@link Double}, and have the
 * same kind on the wire. Of a run whose figures a tool has summarised, total, min, max and sum of squares are NaN if they are unknown;
 * JSON has null for them. Daemons always know them, so no subscriber meets one.
 *
 * @param name the wire name; nanoseconds if it ends with {@code _ns}, else tokens
 * @param count number of values
 * @param total sum of the values
 * @param min the smallest value; 0 without values
 * @param max the largest value; 0 without values
 * @param sumSq sum of the squares of the values
 * @param percentiles values by percentile, from {@code "99.9"} down, by the ranks of MLCommons endpoints: for its formats. People see {@link #percentile}
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
        percentiles = FixedMap.copyOf(percentiles);
        histogram = List.copyOf(histogram);
        earlyStopping = earlyStopping == null ? null : FixedMap.copyOf(earlyStopping);
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

    /** The same series under another name. */
    public SeriesMetric named(String other) {
        return name.equals(other)
                ? this
                : new SeriesMetric(other, count, total, min, max, sumSq, percentiles, histogram, earlyStopping, detail);
    }

    /** {@link #percentile(String)} of one of the usual percentiles. */
    public @Nullable Double percentile(Percentile percentile) {
        return percentile(percentile.key());
    }

    /**
     * The percentile that people see: interpolated linearly ({@link Linear}), of the values if {@link #isExact}, else estimated. Of a snapshot without
     * interpolated ones, the percentile of MLCommons endpoints. Never outside the extremes, if they are known.
     *
     * @param key such as {@code "99.0"}
     * @return null if the grid lacks it
     */
    public @Nullable Double percentile(String key) {
        Double interpolated = detail == null ? null : detail.interpolated().get(key);
        Double other = percentiles.get(key);
        Double shown = interpolated == null ? other : interpolated;
        double low = min.doubleValue();
        double high = max.doubleValue();
        return shown == null || count == 0 || !(low <= high) ? shown : (Double) Math.max(low, Math.min(high, shown));
    }

    /** The percentiles that people see, by their keys in the order of the grid. */
    public Map<String, Double> shownPercentiles() {
        Map<String, Double> shown = new LinkedHashMap<>();
        for (String key : percentiles.keySet()) {
            Double value = percentile(key);
            if (value != null) {
                shown.put(key, value);
            }
        }
        return shown;
    }

    /** Whether percentiles are those of the values. Views mark the others: estimates of a histogram, and those of another daemon or tool by its rule. */
    public boolean isExact() {
        return count == 0 || (detail != null && detail.exact());
    }

    /** Whether enough values bound the percentile; see {@link Certainty}. */
    public boolean isCertain(Percentile percentile) {
        return Certainty.isCertain(percentile, count);
    }

    /** The arithmetic mean in the unit of the series; null without values. */
    public @Nullable Double mean() {
        double mean = total.doubleValue() / count;
        return count == 0 || Double.isNaN(mean) ? null : (Double) mean;
    }

    /** Converts an integer to the kind this record takes: {@link Long} if it fits into 64 bits, else itself. */
    public static Number whole(BigInteger value) {
        return value.bitLength() <= 63 ? (Number) value.longValue() : value;
    }
}
