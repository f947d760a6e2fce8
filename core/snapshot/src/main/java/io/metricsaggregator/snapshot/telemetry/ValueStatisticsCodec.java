package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ValueStatistics} to and from a map. */
final class ValueStatisticsCodec {
    private ValueStatisticsCodec() {}

    /**
     * The statistics as a map.
     *
     * @param unit the suffix of each name but {@code count}, such as {@code _ms}
     */
    static Map<String, @Nullable Object> of(ValueStatistics statistics, String unit) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", statistics.count());
        tree.put("sum" + unit, statistics.count() == 0 ? (Object) 0L : finite(statistics.sum()));
        tree.put("mean" + unit, finite(statistics.mean()));
        tree.put("min" + unit, finite(statistics.min()));
        tree.put("max" + unit, finite(statistics.max()));
        tree.put("stddev" + unit, finite(statistics.stddev()));
        statistics.percentiles().forEach((name, value) -> tree.put(name + unit, finite(value)));
        return tree;
    }

    static ValueStatistics read(TreeFields fields, String unit) throws MalformedMessageException {
        Map<String, @Nullable Double> percentiles = new LinkedHashMap<>();
        for (String name : fields.names()) {
            if (isPercentile(name, unit)) {
                percentiles.put(name.substring(0, name.length() - unit.length()), fields.real(name));
            }
        }
        long count = fields.integer("count");
        return new ValueStatistics(
                count,
                count == 0 ? null : fields.real("sum" + unit),
                fields.real("mean" + unit),
                fields.real("min" + unit),
                fields.real("max" + unit),
                fields.real("stddev" + unit),
                percentiles);
    }

    /** Whether a name is {@code p}, digits and underscores, and the unit. Not a regular expression: a snapshot can have millions of names. */
    private static boolean isPercentile(String name, String unit) {
        int end = name.length() - unit.length();
        if (end < 2 || name.charAt(0) != 'p' || !isDigit(name.charAt(1)) || !name.endsWith(unit)) {
            return false;
        }
        for (int i = 2; i < end; i++) {
            if (!isDigit(name.charAt(i)) && name.charAt(i) != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
