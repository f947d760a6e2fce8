package io.metricsaggregator.fold;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of values that are at hand, as numpy has them: percentiles by linear interpolation between neighbours, means by pairwise
 * sums. Other kinds of observation are reported by them; the load generator's series are not (they take the value at a place).
 */
final class Linear {
    private static final int PAIRWISE_BLOCK = 128;

    private double[] values = new double[16];
    private int size;

    void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    double get(int i) {
        return values[i];
    }

    void clear() {
        size = 0;
    }

    /** The same, each multiplied. */
    Linear times(double factor) {
        Linear scaled = new Linear();
        for (int i = 0; i < size; i++) {
            scaled.add(values[i] * factor);
        }
        return scaled;
    }

    double sum() {
        return pairwise(0, size);
    }

    /** numpy's {@code add.reduce}: eight running sums up to 128 values, halves beyond. */
    private double pairwise(int from, int count) {
        if (count < 8) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += values[from + i];
            }
            return sum;
        }
        if (count <= PAIRWISE_BLOCK) {
            double[] r = new double[8];
            System.arraycopy(values, from, r, 0, 8);
            int i = 8;
            for (; i < count - count % 8; i += 8) {
                for (int j = 0; j < 8; j++) {
                    r[j] += values[from + i + j];
                }
            }
            double sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
            for (; i < count; i++) {
                sum += values[from + i];
            }
            return sum;
        }
        int half = count / 2;
        half -= half % 8;
        return pairwise(from, half) + pairwise(from + half, count - half);
    }

    /** The mean; NaN of nothing. */
    double mean() {
        return sum() / size;
    }

    private double[] sorted() {
        double[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        return sorted;
    }

    /** h = (n − 1)·p/100, between the values at ⌊h⌋ and the next; from the nearer one, so that rounding is numpy's. */
    private static double percentile(double[] sorted, double p) {
        double h = (sorted.length - 1) * (p / 100);
        int i = (int) Math.floor(h);
        double g = h - i;
        double a = sorted[i];
        double b = sorted[Math.min(i + 1, sorted.length - 1)];
        return g < 0.5 ? a + (b - a) * g : b - (b - a) * (1 - g);
    }

    /** A percentile; NaN of nothing. */
    double percentile(double p) {
        return size == 0 ? Double.NaN : percentile(sorted(), p);
    }

    /** Count, sum, mean, min, max, standard deviation (n − 1) and percentiles; null for what nothing has. */
    Map<String, @Nullable Object> statistics() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", (long) size);
        tree.put("sum", size == 0 ? (Object) 0L : (Object) sum());
        boolean none = size == 0;
        double[] sorted = sorted();
        double mean = none ? 0 : mean();
        double spread = 0;
        for (double each : sorted) {
            spread += (each - mean) * (each - mean);
        }
        tree.put("mean", none ? null : mean);
        tree.put("min", none ? null : sorted[0]);
        tree.put("max", none ? null : sorted[size - 1]);
        tree.put("stddev", none ? null : size == 1 ? 0.0 : Math.sqrt(spread / (size - 1)));
        for (double p : new double[] {50, 90, 95, 99, 99.9}) {
            tree.put(p == 99.9 ? "p99_9" : "p" + (int) p, none ? null : percentile(sorted, p));
        }
        return tree;
    }
}
