package io.metricsaggregator.telemetry.transfer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many values are at or below each of some edges, as Prometheus' client libraries count them. */
final class EdgeCounts {
    private final double[] edges;
    private final long[] counts;
    private double sum;
    private long count;

    /**
     * Counts.
     *
     * @param edges ascending; each belongs to its bucket
     */
    EdgeCounts(double... edges) {
        this.edges = edges.clone();
        this.counts = new long[edges.length + 1];
    }

    void add(double value) {
        int at = Arrays.binarySearch(edges, value);
        counts[at >= 0 ? at : -at - 1]++;
        sum += value;
        count++;
    }

    /** Cumulative counts by edge, sum and count. */
    Map<String, Object> freeze() {
        Map<String, Object> le = new LinkedHashMap<>();
        long below = 0;
        for (int i = 0; i < edges.length; i++) {
            below += counts[i];
            le.put(Double.toString(edges[i]), below);
        }
        le.put("+Inf", count);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("buckets_le", le);
        tree.put("sum", sum);
        tree.put("count", count);
        return tree;
    }
}
