package io.metricsaggregator.steady;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Ranks of values, from 1. */
final class Ranks {
    private Ranks() {}

    /** Equal values are ranked by position. */
    static double[] ordinal(double[] values) {
        double[] ranks = new double[values.length];
        int[] order = order(values);
        for (int i = 0; i < order.length; i++) {
            ranks[order[i]] = i + 1;
        }
        return ranks;
    }

    /** Equal values share the mean of their ranks. */
    static double[] averaged(double[] values) {
        double[] ranks = new double[values.length];
        int[] order = order(values);
        for (int from = 0; from < order.length; ) {
            int to = from;
            while (to + 1 < order.length && values[order[to + 1]] == values[order[from]]) {
                to++;
            }
            for (int i = from; i <= to; i++) {
                ranks[order[i]] = (from + to + 2) / 2.0;
            }
            from = to + 1;
        }
        return ranks;
    }

    private static int[] order(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
