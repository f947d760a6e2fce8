package io.metricsaggregator.fleet;

import java.util.List;

/**
 * The nodes that a fleet waits for.
 *
 * @param count number of nodes; 0 if it was not told
 * @param names names of nodes; empty if it was not told
 */
record Expectation(int count, List<String> names) {
    Expectation {
        if (count < 0) {
            throw new IllegalArgumentException("a fleet cannot expect " + count + " nodes");
        }
        names = List.copyOf(names);
    }

    /** Number of nodes waited for, by number or by name; 0 if the fleet was not told. */
    int size() {
        return Math.max(count, names.size());
    }
}
