package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The labels that have rows of their own in a sum of runs: {@value #KEYS_MAX} keys beside the workers and {@value #VALUES_MAX} values of each, the first that
 * come, as in one daemon. They are kept from sum to sum, so that no row of a live sum gives its samples to another. One owner.
 */
public final class KeptLabels {
    static final int KEYS_MAX = 8;
    static final int VALUES_MAX = 32;

    private final Map<String, Set<String>> values = new LinkedHashMap<>();
    private long overLimit;

    /** Starts a sum: nothing is over the limit yet. */
    void start() {
        overLimit = 0;
    }

    /** Whether a key has rows. */
    boolean keeps(String key) {
        if (!values.containsKey(key)) {
            boolean workers = key.equals(LabelBreakdown.WORKER);
            int labels = values.size() - (values.containsKey(LabelBreakdown.WORKER) ? 1 : 0);
            if (!workers && labels >= KEYS_MAX) {
                return false;
            }
            values.put(key, new HashSet<>());
        }
        return true;
    }

    /** Whether a value of a key that is kept has a row of its own. */
    boolean keeps(String key, String value) {
        Set<String> kept = values.computeIfAbsent(key, any -> new HashSet<>());
        return kept.contains(value) || (kept.size() < VALUES_MAX && kept.add(value));
    }

    /** Counts issues whose label has no row. */
    void over(long issues) {
        long sum = overLimit + Math.max(0, issues);
        overLimit = sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Labels of tracked issues in the last sum that are beyond its bounds and were not beyond those of a run. */
    public long overLimit() {
        return overLimit;
    }
}
