package io.metricsaggregator.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares metrics of a final snapshot in JSON: integers, percentiles and counts exactly, edges of histograms and the sums of
 * {@code tpot_ns} to 1e-12 relative, since exp, log and the order of sums differ in the last bit. Stateless.
 */
final class SnapshotComparison {
    private static final double NEAR = 1e-12;

    private SnapshotComparison() {}

    /** The metrics of a snapshot by name. */
    static Map<String, Map<?, ?>> byName(Map<String, @Nullable Object> snapshot) {
        Map<String, Map<?, ?>> byName = new LinkedHashMap<>();
        if (snapshot.get("metrics") instanceof List<?> metrics) {
            for (Object metric : metrics) {
                if (metric instanceof Map<?, ?> map) {
                    byName.put(String.valueOf(map.get("name")), map);
                }
            }
        }
        return byName;
    }

    /** The first difference as one line; empty if there is none. Keys that are not expected are ignored. */
    static String difference(String name, Map<?, ?> expected, @Nullable Map<?, ?> actual) {
        if (actual == null) {
            return "the metric is missing";
        }
        for (Map.Entry<?, ?> entry : expected.entrySet()) {
            String key = String.valueOf(entry.getKey());
            boolean sum = name.equals("tpot_ns") && (key.equals("total") || key.equals("sum_sq"));
            boolean same = switch (key) {
                case "histogram" -> sameHistogram(entry.getValue(), actual.get(key));
                default -> sum ? isNear(entry.getValue(), actual.get(key)) : same(entry.getValue(), actual.get(key));
            };
            if (!same) {
                return key + " is " + actual.get(key) + " instead of " + entry.getValue();
            }
        }
        return "";
    }

    private static boolean sameHistogram(@Nullable Object expected, @Nullable Object actual) {
        if (!(expected instanceof List<?> want && actual instanceof List<?> have) || want.size() != have.size()) {
            return false;
        }
        for (int i = 0; i < want.size(); i++) {
            if (!(want.get(i) instanceof List<?> bucket
                    && have.get(i) instanceof List<?> other
                    && bucket.size() == 2
                    && other.size() == 2
                    && bucket.get(0) instanceof List<?> edges
                    && other.get(0) instanceof List<?> edgesToo
                    && edges.size() == 2
                    && edgesToo.size() == 2)) {
                return false;
            }
            if (!same(bucket.get(1), other.get(1))
                    || !isNear(edges.get(0), edgesToo.get(0))
                    || !isNear(edges.get(1), edgesToo.get(1))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNear(@Nullable Object expected, @Nullable Object actual) {
        if (!(expected instanceof Number want && actual instanceof Number have)) {
            return false;
        }
        double difference = Math.abs(want.doubleValue() - have.doubleValue());
        return difference <= NEAR * Math.abs(want.doubleValue());
    }

    private static boolean same(@Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Number want && actual instanceof Number have) {
            return decimal(want).compareTo(decimal(have)) == 0;
        }
        if (expected instanceof Map<?, ?> want && actual instanceof Map<?, ?> have) {
            return want.keySet().equals(have.keySet())
                    && want.keySet().stream().allMatch(key -> same(want.get(key), have.get(key)));
        }
        return Objects.equals(expected, actual);
    }

    private static BigDecimal decimal(Number number) {
        if (number instanceof BigInteger big) {
            return new BigDecimal(big);
        }
        return number instanceof Double real ? new BigDecimal(real) : BigDecimal.valueOf(number.longValue());
    }
}
