package io.metricsaggregator.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Results of cases that were run in turn, round after round. A ratio of two cases is the median of the ratios within those rounds in which the
 * machine was equally fast, as reading and discarding shows; there is none unless more than half of the rounds agree.
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
        double[] our = nanos(ours);
        double[] their = nanos(other);
        List<Integer> agree = comparable(ours, other);
        return agree.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(median(agree.stream()
                        .mapToDouble(round -> their[round] / our[round])
                        .toArray()));
    }

    /**
     * The largest set of rounds whose raw rows, of the wires of both, differ by at most {@link #RAW_SPREAD}.
     *
     * @return numbers of rounds, from 0; empty if they are not more than half of all rounds, and more than one
     */
    List<Integer> comparable(Case ours, Case other) {
        double[] first = nanos(raw(ours));
        double[] second = nanos(raw(other));
        List<Integer> most = List.of();
        for (double fastest : first) {
            for (double fastestOther : second) {
                List<Integer> agree = new ArrayList<>();
                for (int i = 0; i < Math.min(first.length, second.length); i++) {
                    if (isWithin(first[i], fastest) && isWithin(second[i], fastestOther)) {
                        agree.add(i);
                    }
                }
                most = agree.size() > most.size() ? agree : most;
            }
        }
        return most.size() > 1 && 2 * most.size() > first.length ? most : List.of();
    }

    private static boolean isWithin(double nanos, double fastest) {
        return nanos >= fastest && nanos <= fastest * (1 + RAW_SPREAD);
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
