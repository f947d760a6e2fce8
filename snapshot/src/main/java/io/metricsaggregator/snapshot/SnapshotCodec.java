package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads typed values from decoded trees; an error names the field. */
final class SnapshotCodec {
    private SnapshotCodec() {}

    static Map<?, ?> map(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong(field, "a map", value);
    }

    static List<?> list(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(field, "an array", value);
    }

    static String text(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(field, "a string", value);
    }

    static long integer(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Long number) {
            return number;
        }
        throw wrong(field, "a 64-bit integer", value);
    }

    static Number number(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Long || value instanceof BigInteger || value instanceof Double) {
            if (!Double.isFinite(((Number) value).doubleValue())) {
                throw new MalformedMessageException(field + " is not finite");
            }
            return (Number) value;
        }
        throw wrong(field, "a number", value);
    }

    static double real(String field, @Nullable Object value) throws MalformedMessageException {
        return number(field, value).doubleValue();
    }

    static boolean flag(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(field, "a boolean", value);
    }

    static MalformedMessageException wrong(String field, String wanted, @Nullable Object value) {
        String seen = value == null ? "nil" : value.getClass().getSimpleName();
        return new MalformedMessageException(field + " should be " + wanted + ", is " + seen);
    }

    static Map<String, Double> percentiles(String field, @Nullable Object value) throws MalformedMessageException {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map(field, value).entrySet()) {
            percentiles.put(percentile(field, entry.getKey()), real(field, entry.getValue()));
        }
        return percentiles;
    }

    /** The key of a percentile. It must be a number, since readers compute with it. */
    private static String percentile(String field, @Nullable Object key) throws MalformedMessageException {
        String name = text(field, key);
        try {
            double number = Double.parseDouble(name);
            if (number >= 0 && number <= 100) {
                return name;
            }
        } catch (NumberFormatException e) {
            // The exception below reports it.
        }
        throw new MalformedMessageException(field + " has a percentile that is not a number from 0 to 100");
    }

    static Map<String, @Nullable Double> estimates(String field, @Nullable Object value)
            throws MalformedMessageException {
        Map<String, @Nullable Double> estimates = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map(field, value).entrySet()) {
            estimates.put(text(field, entry.getKey()), entry.getValue() == null ? null : real(field, entry.getValue()));
        }
        return estimates;
    }

    static List<HistogramBucket> buckets(String field, @Nullable Object value) throws MalformedMessageException {
        List<HistogramBucket> buckets = new ArrayList<>();
        for (Object element : list(field, value)) {
            List<?> bucket = list(field, element);
            List<?> edges = bucket.size() == 2 ? list(field, bucket.get(0)) : List.of();
            if (edges.size() != 2) {
                throw wrong(field, "buckets of [[low, high], count]", bucket);
            }
            buckets.add(new HistogramBucket(
                    real(field, edges.get(0)), real(field, edges.get(1)), integer(field, bucket.get(1))));
        }
        return buckets;
    }

    static List<@Nullable Object> bucketTree(List<HistogramBucket> buckets) {
        List<@Nullable Object> tree = new ArrayList<>(buckets.size());
        for (HistogramBucket bucket : buckets) {
            tree.add(List.of(List.of(bucket.low(), bucket.high()), bucket.count()));
        }
        return tree;
    }
}
