package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;
import static io.metricsaggregator.snapshot.fields.TreeValues.wrong;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads typed values from decoded trees; an error names the field. */
final class MetricTrees {
    private MetricTrees() {}

    static Map<String, Double> percentiles(String field, @Nullable Object value) throws MalformedMessageException {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map(field, value).entrySet()) {
            percentiles.put(percentile(field, entry.getKey()), real(field, entry.getValue()));
        }
        return percentiles;
    }

    /** The key of a percentile. It must be a number, since readers compute with it. */
    static String percentile(String field, @Nullable Object key) throws MalformedMessageException {
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
