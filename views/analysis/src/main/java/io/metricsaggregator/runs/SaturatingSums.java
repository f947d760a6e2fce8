package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.fields.Adder;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Adds longs with saturation at the 64-bit limit and remembers the names of saturated sums. Not thread-safe: one instance per merge.
 */
final class SaturatingSums {
    private final Set<String> saturated = new TreeSet<>();

    /**
     * Adds two numbers with saturation.
     *
     * @param what name of the sum in the notes of the merged run
     */
    long add(String what, long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) >= 0) {
            return sum;
        }
        saturated.add(what);
        return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /**
     * Adds records with saturation.
     *
     * @param what name of the sums
     * @param together whether the runs measured at the same time, so that their peaks add up
     */
    Adder adder(String what, boolean together) {
        return new Adder((a, b) -> add(what, a, b), together);
    }

    /** The saturating sum of one number per part; 0 without parts. */
    <T> long total(String what, Iterable<T> parts, ToLongFunction<T> number) {
        long sum = 0;
        for (T each : parts) {
            sum = add(what, sum, number.applyAsLong(each));
        }
        return sum;
    }

    /** The names of saturated sums in alphabetical order. */
    Set<String> saturated() {
        return saturated;
    }
}
