package io.metricsaggregator.snapshot.percentile;

/**
 * The percentile of everything that people see: linear interpolation at h = p/100·(n − 1) between the values at the places ⌊h⌋ and ⌊h⌋ + 1 of the n
 * sorted values, from 0. It is numpy's default, and rounds as numpy does.
 */
public final class Linear {
    private Linear() {}

    /**
     * h, the place of a percentile among sorted values, from 0.
     *
     * @param percent between 0 and 100
     * @param count values, at least 1
     */
    public static double place(double percent, long count) {
        return percent / 100 * (count - 1);
    }

    /**
     * The value between two neighbours, from the nearer one.
     *
     * @param below the value at ⌊h⌋
     * @param above the value at ⌊h⌋ + 1
     * @param share h − ⌊h⌋
     */
    public static double between(double below, double above, double share) {
        double step = above - below;
        return share < 0.5 ? below + step * share : above - step * (1 - share);
    }

    /**
     * A percentile of sorted values.
     *
     * @param sorted ascending, at least one
     * @param percent between 0 and 100
     */
    public static double of(double[] sorted, double percent) {
        return of(sorted, sorted.length, percent);
    }

    /** A percentile of the first {@code count} values, at least one, which are sorted. */
    public static double of(double[] sorted, int count, double percent) {
        double place = place(percent, count);
        int below = (int) place;
        return between(sorted[below], sorted[Math.min(below + 1, count - 1)], place - below);
    }
}
