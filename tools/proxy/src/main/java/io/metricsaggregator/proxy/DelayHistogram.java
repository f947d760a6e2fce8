package io.metricsaggregator.proxy;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts durations in buckets of at most 6.25 % width, from 1 ns to 292 years. Thread-safe; a quantile may miss values that are being added. */
final class DelayHistogram {
    private static final int BITS = 4;
    private static final int PARTS = 1 << BITS;

    private final AtomicLongArray counts = new AtomicLongArray(64 * PARTS);

    void add(long nanos) {
        counts.incrementAndGet(bucket(Math.max(0, nanos)));
    }

    private static int bucket(long nanos) {
        if (nanos < PARTS) {
            return (int) nanos;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        return (exponent - BITS + 1) * PARTS + (int) ((nanos >>> (exponent - BITS)) & (PARTS - 1));
    }

    /** The largest value of a bucket. */
    private static long highest(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        return (((long) (PARTS + bucket % PARTS) + 1) << shift) - 1;
    }

    long count() {
        long sum = 0;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /**
     * The duration that a share of those added do not exceed, up to the width of a bucket too high.
     *
     * @param share 0 to 1
     * @return nanoseconds; -1 without any duration
     */
    long quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count()));
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen >= rank) {
                return highest(i);
            }
        }
        return -1;
    }
}
