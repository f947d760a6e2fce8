package io.metricsaggregator.registry;

import org.jspecify.annotations.Nullable;

/** Operations on sorted values as multisets. */
final class SortedValues {
    private SortedValues() {}

    /**
     * Returns ascending values less others: each takes away one equal value.
     *
     * @param away ascending
     * @return null if one of {@code away} has no equal among {@code values}
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
