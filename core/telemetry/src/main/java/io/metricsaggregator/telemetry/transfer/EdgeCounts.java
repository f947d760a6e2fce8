package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** A histogram of values with fixed upper edges, as Prometheus' client libraries count it. */
final class EdgeCounts {
    private final double[] edges;
    private final long[] counts;
    private double sum;
    private long count;

    /**
     * A histogram without values.
     *
     * @param edges upper edges, ascending; a value equal to an edge counts in the bucket below it
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

    /** The counts up to each edge, the sum and the count. */
    TransferSnapshot.Histogram snapshot() {
        Map<String, Long> atMost = new LinkedHashMap<>();
        long below = 0;
        for (int i = 0; i < edges.length; i++) {
            below += counts[i];
            atMost.put(Double.toString(edges[i]), below);
        }
        atMost.put("+Inf", count);
        return new TransferSnapshot.Histogram(atMost, sum, count);
    }
}
