package io.metricsaggregator.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Results of cases that were run in turn, round after round. A ratio of two cases is the median of the ratios within each round; there is none if
 * the machine changed meanwhile, as the rounds of reading and discarding show.
 */
final class Rounds {
    /** Largest difference between the fastest and the slowest raw row, relative to the fastest. */
    static final double RAW_SPREAD = 0.15;

    private final Map<Case, List<Measured>> results = new LinkedHashMap<>();

    void add(Case what, Measured measured) {
        results.computeIfAbsent(what, key -> new ArrayList<>()).add(measured);
    }

    /** The results of a case, one a round. */
    List<Measured> of(Case what) {
        return results.getOrDefault(what, List.of());
    }

    /** The cases in the order of their first round. */
    List<Case> cases() {
        return List.copyOf(results.keySet());
    }

    double median(Case what) {
        return median(nanos(what));
    }

    /** (slowest − fastest) / fastest. */
    double spread(Case what) {
        double[] sorted = nanos(what);
        Arrays.sort(sorted);
        return sorted[sorted.length - 1] / sorted[0] - 1;
    }

    /**
     * How many times as fast {@code ours} is as {@code other}.
     *
     * @return empty if the raw rows of the wires of both differ too much to compare rounds
     */
    OptionalDouble ratio(Case ours, Case other) {
        if (spread(raw(ours)) > RAW_SPREAD || spread(raw(other)) > RAW_SPREAD) {
            return OptionalDouble.empty();
        }
        double[] our = nanos(ours);
        double[] their = nanos(other);
        double[] ratios = new double[Math.min(our.length, their.length)];
        Arrays.setAll(ratios, i -> their[i] / our[i]);
        return OptionalDouble.of(median(ratios));
    }

    /** The case that reads and discards the same bytes over the same wire. */
    private Case raw(Case what) {
        return results.keySet().stream()
                .filter(each ->
                        each.reader() == Case.Reader.RAW && each.tcp() == what.tcp() && each.batch() == what.batch())
                .findFirst()
                .orElseThrow();
    }

    /** How many times as fast a case is as its raw row. */
    OptionalDouble ofRaw(Case what) {
        return ratio(what, raw(what));
    }

    private double[] nanos(Case what) {
        return of(what).stream().mapToDouble(Measured::nanosPerRecord).toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
