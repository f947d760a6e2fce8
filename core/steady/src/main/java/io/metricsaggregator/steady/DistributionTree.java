package io.metricsaggregator.steady;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The maps {@code ttft} and {@code tpot} of {@code steady_state.json}: count, mean, extremes, percentiles and a histogram of 20 bins. */
final class DistributionTree {
    private static final int BINS = 20;

    private DistributionTree() {}

    /** Null for no values. The bins are equally wide in the logarithm if all values are positive. */
    static @Nullable Map<String, Object> of(double[] sorted) {
        if (sorted.length == 0) {
            return null;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("count", sorted.length);
        tree.put("mean", Descriptive.mean(sorted));
        tree.put("min", sorted[0]);
        tree.put("max", sorted[sorted.length - 1]);
        tree.put("p50", Descriptive.percentile(sorted, 0.5));
        tree.put("p90", Descriptive.percentile(sorted, 0.9));
        tree.put("p99", Descriptive.percentile(sorted, 0.99));
        tree.put("histogram", histogram(sorted));
        return tree;
    }

    private static List<Map<String, Object>> histogram(double[] sorted) {
        double low = sorted[0];
        double high = sorted[sorted.length - 1];
        if (low == high) {
            return List.of(bin(low, high, sorted.length));
        }
        double[] edges = new double[BINS + 1];
        for (int i = 0; i <= BINS; i++) {
            edges[i] = low > 0 ? low * Math.pow(high / low, i / (double) BINS) : low + (high - low) * i / BINS;
        }
        int[] counts = new int[BINS];
        for (double each : sorted) {
            int bin = each >= high ? BINS - 1 : 0;
            while (bin < BINS - 1 && each >= edges[bin + 1]) {
                bin++;
            }
            counts[bin]++;
        }
        List<Map<String, Object>> bins = new ArrayList<>();
        for (int i = 0; i < BINS; i++) {
            bins.add(bin(edges[i], edges[i + 1], counts[i]));
        }
        return bins;
    }

    private static Map<String, Object> bin(double low, double high, int count) {
        Map<String, Object> bin = new LinkedHashMap<>();
        bin.put("lo", low);
        bin.put("hi", high);
        bin.put("count", count);
        return bin;
    }
}
