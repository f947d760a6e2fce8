package io.metricsaggregator.telemetry.statistics;

import java.util.Arrays;

/**
 * Exact moments of all values, and a uniform sample of them for percentiles, for when there is no memory to keep more values. The sample is as large
 * as the number of values kept before (Vitter's algorithm R). Its seed is constant: the same values give the same sample.
 */
final class Reservoir {
    final Moments all = new Moments();
    private final double[] kept;
    private long random = 0x9e3779b97f4a7c15L;

    Reservoir(double[] values, int size) {
        kept = Arrays.copyOf(values, size);
        for (double each : kept) {
            all.add(each);
        }
    }

    void add(double value) {
        all.add(value);
        keep(value, all.count());
    }

    private void keep(double value, long count) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        long place = Long.remainderUnsigned(random, count);
        if (place < kept.length) {
            kept[(int) place] = value;
        }
    }

    /** Adds a value {@code times} times to the sample; the caller adds the moments. */
    void resemble(double value, long times) {
        for (long i = Math.min(times, 16); i > 0; i--) {
            keep(value, Math.max(1, all.count() * 16 / Math.max(16, times)));
        }
    }

    /** The sampled values, unordered. */
    double[] sample() {
        return kept.clone();
    }

    int size() {
        return kept.length;
    }
}
