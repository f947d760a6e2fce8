package io.metricsaggregator.registry;

import org.jspecify.annotations.Nullable;

/** Sorted values as a multiset. */
final class SortedValues {
    private SortedValues() {}

    /**
     * The ascending values less others, one for one.
     *
     * @param away ascending
     * @return null if not all of them are among {@code values} as often as here
     */
    static long @Nullable [] without(long[] values, long[] away) {
        if (away.length == 0) {
            return values;
        }
        if (away.length > values.length) {
            return null;
        }
        long[] left = new long[values.length - away.length];
        int used = 0;
        int next = 0;
        for (long value : values) {
            if (next < away.length && away[next] == value) {
                next++;
            } else if (used < left.length) {
                left[used++] = value;
            } else {
                return null;
            }
        }
        return left;
    }
}
