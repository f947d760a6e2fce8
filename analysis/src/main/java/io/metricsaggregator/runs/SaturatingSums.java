package io.metricsaggregator.runs;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Sums that stay at the end of the 64-bit range instead of wrapping round or failing, and remember which did. Belongs to one merge and its
 * thread.
 */
final class SaturatingSums {
    private final Set<String> saturated = new TreeSet<>();

    /**
     * Adds two numbers.
     *
     * @param what names the sum in the merged run's notes
     */
    long add(String what, long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) >= 0) {
            return sum;
        }
        saturated.add(what);
        return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Adds up one number of each part; 0 for none. */
    <T> long total(String what, Iterable<T> parts, ToLongFunction<T> number) {
        long sum = 0;
        for (T each : parts) {
            sum = add(what, sum, number.applyAsLong(each));
        }
        return sum;
    }

    /** Names of the sums that are beyond 64 bits, in alphabetical order. */
    Set<String> saturated() {
        return saturated;
    }
}
