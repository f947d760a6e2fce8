package io.metricsaggregator.snapshot.percentile;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Estimates percentiles in one pass over a histogram by the rule of exact ones, {@link Linear}: at the places ⌊h⌋ and ⌊h⌋ + 1 a value counts as the
 * one that stands for its bucket, brought into the range from the smallest to the largest value; the first and the last place have these themselves.
 * Used once, by one thread.
 */
public final class HistogramPercentiles {
    /** Indexes of the percentiles in ascending order. */
    private final int[] order;
    /** h of each percentile, in ascending order. */
    private final double[] places;

    private final double[] below;
    private final double[] above;
    private final long last;
    private long seen;
    private int nextBelow;
    private int nextAbove;
    private double lowest;
    private double highest;

    /**
     * Starts a pass.
     *
     * @param percentiles between 0 and 100, in any order
     * @param count values that the buckets hold together; without any, all percentiles are the smallest value
     */
    public HistogramPercentiles(double[] percentiles, long count) {
        order = ascending(percentiles);
        places = new double[percentiles.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = count == 0 ? 0 : Linear.place(percentiles[order[i]], count);
        }
        below = new double[places.length];
        above = new double[places.length];
        last = count - 1;
    }

    /** Starts a pass for percentiles by their keys, such as {@code "99.0"}. */
    public static HistogramPercentiles ofKeys(Collection<String> keys, long count) {
        return new HistogramPercentiles(
                keys.stream().mapToDouble(Double::parseDouble).toArray(), count);
    }

    private static int[] ascending(double[] percentiles) {
        int[] order = new int[percentiles.length];
        for (int i = 0; i < order.length; i++) {
            int at = i;
            while (at > 0 && percentiles[order[at - 1]] > percentiles[i]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = i;
        }
        return order;
    }

    /** The value that stands for a bucket of integers: the middle one, or the upper of the two in the middle. */
    public static long middle(long lowest, long size) {
        return lowest + (size >> 1);
    }

    /**
     * Adds the next bucket.
     *
     * @param value stands for the values in it, and is above that of the bucket before
     * @param count values in it, above 0
     */
    public void add(double value, long count) {
        if (seen == 0) {
            lowest = value;
        }
        highest = value;
        // Sums of corrupt counts stay at the largest number.
        seen = seen + count < 0 ? Long.MAX_VALUE : seen + count;
        while (nextBelow < places.length && seen > (long) places[nextBelow]) {
            below[nextBelow++] = value;
        }
        while (nextAbove < places.length && seen > Math.min(last, (long) places[nextAbove] + 1)) {
            above[nextAbove++] = value;
        }
    }

    /** Whether further buckets change no percentile of {@link #of}. */
    public boolean isComplete() {
        return nextAbove == places.length;
    }

    /**
     * The percentiles, in the order of the constructor.
     *
     * @param min the smallest of the values
     * @param max the largest of the values
     */
    public double[] of(double min, double max) {
        double[] found = new double[places.length];
        for (int i = 0; i < found.length; i++) {
            long place = (long) places[i];
            double low = value(place, i < nextBelow ? below[i] : highest, min, max);
            double high = value(Math.min(last, place + 1), i < nextAbove ? above[i] : highest, min, max);
            found[order[i]] = Linear.between(low, high, places[i] - place);
        }
        return found;
    }

    /** {@link #of(double, double)} by the keys of {@link #ofKeys}. */
    public Map<String, Double> of(Collection<String> keys, double min, double max) {
        double[] values = of(min, max);
        Map<String, Double> found = new LinkedHashMap<>();
        int i = 0;
        for (String key : keys) {
            found.put(key, values[i++]);
        }
        return found;
    }

    /**
     * The percentiles of values whose extremes are known by their buckets alone, in the order of the constructor.
     *
     * @param min no value is below
     * @param max no value is above
     */
    public double[] within(double min, double max) {
        return of(inRange(lowest, min, max), inRange(highest, min, max));
    }

    private double value(long place, double ofBucket, double min, double max) {
        return place <= 0 ? min : place == last ? max : inRange(ofBucket, min, max);
    }

    private static double inRange(double value, double min, double max) {
        return Math.max(min, Math.min(max, value));
    }
}
