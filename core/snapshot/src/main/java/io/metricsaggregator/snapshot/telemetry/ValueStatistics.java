package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a set of values. All but the count are null when there is no value or the result is not finite.
 *
 * @param count how many values
 * @param stddev standard deviation with n − 1 in the denominator; 0 for one value
 * @param percentiles by name, such as {@code p99} and {@code p99_9}, the lowest first; linearly interpolated between neighbours while all values are kept
 */
public record ValueStatistics(
        long count,
        @Nullable Double sum,
        @Nullable Double mean,
        @Nullable Double min,
        @Nullable Double max,
        @Nullable Double stddev,
        Map<String, @Nullable Double> percentiles) {
    /** Statistics of no value, without percentiles. */
    public static final ValueStatistics NONE = new ValueStatistics(0, null, null, null, null, null, Map.of());

    /** A map whose keys end with this unit, such as {@code _ms}, or do not say it. */
    static Fields.Shape<ValueStatistics> in(String unit) {
        return (f, v) -> pass(f, v, unit);
    }

    /** All fields but {@code count} end with the unit. */
    static ValueStatistics pass(Fields f, ValueStatistics v, String unit) throws MalformedMessageException {
        long count = f.laterCount("count", v.count);
        if (count == 0) {
            f.derived("sum" + unit, 0L);
        }
        return pass(f, v, unit, count, count == 0 ? null : f.maybeReal("sum" + unit, v.sum));
    }

    /** As {@link #pass}, of statistics whose sum is written apart. */
    static ValueStatistics passWithoutSum(Fields f, ValueStatistics v, String unit) throws MalformedMessageException {
        return pass(f, v, unit, f.laterCount("count", v.count), null);
    }

    private static ValueStatistics pass(Fields f, ValueStatistics v, String unit, long count, @Nullable Double sum)
            throws MalformedMessageException {
        return new ValueStatistics(
                count,
                sum,
                f.maybeReal("mean" + unit, v.mean),
                f.maybeReal("min" + unit, v.min),
                f.maybeReal("max" + unit, v.max),
                f.maybeReal("stddev" + unit, v.stddev),
                f.others(v.percentiles, new PercentileKeys(unit), Forms.REAL));
    }

    /** Keys that are {@code p}, digits and underscores, and the unit. Not a regular expression: a snapshot can have millions of them. */
    private record PercentileKeys(String unit) implements Fields.Keys {
        @Override
        public String key(String name) {
            return name + unit;
        }

        @Override
        public @Nullable String name(String key, @Nullable Object tree) {
            int end = key.length() - unit.length();
            if (end < 2 || key.charAt(0) != 'p' || !isDigit(key.charAt(1)) || !key.endsWith(unit)) {
                return null;
            }
            for (int i = 2; i < end; i++) {
                if (!isDigit(key.charAt(i)) && key.charAt(i) != '_') {
                    return null;
                }
            }
            return key.substring(0, end);
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }
    }

    public ValueStatistics {
        percentiles = Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** The same with another count, for statistics that lag behind it. */
    public ValueStatistics withCount(long other) {
        return new ValueStatistics(other, sum, mean, min, max, stddev, percentiles);
    }

    /** A percentile by name; null if it is not there. */
    public @Nullable Double percentile(String name) {
        return percentiles.get(name);
    }
}
