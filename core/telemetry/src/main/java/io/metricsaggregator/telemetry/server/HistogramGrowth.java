package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Growth of a histogram: of its buckets, which are cumulative, its sum and its count. Belongs to the thread that applies events. */
final class HistogramGrowth {
    private final TreeMap<Double, Double> cumulative = new TreeMap<>();
    private double count;
    private double sum;
    private boolean hasSum;
    private boolean sameEdges = true;

    /** Adds growth of the bucket with that upper edge. */
    void bucket(double edge, double growth) {
        cumulative.merge(edge, growth, Double::sum);
    }

    void sum(double growth) {
        sum += growth;
        hasSum = true;
    }

    void count(double growth) {
        count += growth;
    }

    double count() {
        return count;
    }

    /** The mean of the values that came in; null without values or sum. */
    @Nullable
    Double mean() {
        return count <= 0 || !hasSum ? null : (Double) (sum / count);
    }

    /** Adds another histogram. With other edges the sum has no percentiles, because values between edges are not known. */
    void add(HistogramGrowth other) {
        sameEdges &= other.sameEdges
                && ((count == 0 && cumulative.isEmpty()) || cumulative.keySet().equals(other.cumulative.keySet()));
        hasSum = hasSum || other.hasSum;
        sum += other.sum;
        count += other.count;
        other.cumulative.forEach(this::bucket);
    }

    /** The figures, with values multiplied by {@code scale}. */
    ServerFigure.Distribution figure(double scale) {
        List<String> over = new ArrayList<>();
        Double p50 = percentile("p50", 0.5, scale, over);
        Double p90 = percentile("p90", 0.9, scale, over);
        Double p99 = percentile("p99", 0.99, scale, over);
        Double mean = mean();
        return new ServerFigure.Distribution(count, mean == null ? null : (Double) (mean * scale), p50, p90, p99, over);
    }

    /** Interpolates linearly within the bucket, whose lower edge is 0 if it is the first, like {@code histogram_quantile} of Prometheus. */
    private @Nullable Double percentile(String name, double share, double scale, List<String> over) {
        Double all = cumulative.get(Double.POSITIVE_INFINITY);
        if (!sameEdges || all == null || all <= 0 || cumulative.size() < 2) {
            return null;
        }
        double rank = share * all;
        double below = 0;
        double lower = Math.min(0, cumulative.firstKey());
        for (Map.Entry<Double, Double> each : cumulative.entrySet()) {
            double upper = each.getKey();
            // Edges scraped while requests end can be a value behind each other.
            double upTo = Math.max(below, each.getValue());
            if (upTo >= rank) {
                if (upper == Double.POSITIVE_INFINITY) {
                    over.add(name);
                    return lower * scale;
                }
                return scale * (upTo == below ? upper : lower + (upper - lower) * (rank - below) / (upTo - below));
            }
            below = upTo;
            lower = upper;
        }
        return null;
    }
}
