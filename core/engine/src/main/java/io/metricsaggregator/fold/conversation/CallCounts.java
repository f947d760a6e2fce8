package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts calls and their durations by name: the first {@value #NAMES_MAX} names, then {@code other}. Belongs to the thread of the fold. */
final class CallCounts {
    static final int NAMES_MAX = 64;

    private final Map<String, Map<String, Long>> durations = new HashMap<>();
    private final Map<String, Long> failed = new HashMap<>();

    /** Counts a call of at least 0 ns. */
    void add(String name, boolean hasFailed, long nanos) {
        String row = durations.containsKey(name) || durations.size() < NAMES_MAX ? name : "other";
        durations.computeIfAbsent(row, any -> new HashMap<>()).merge(Jobs.Calls.bucket(nanos), 1L, Long::sum);
        failed.merge(row, hasFailed ? 1L : 0L, Long::sum);
    }

    /** Copies the rows. */
    List<Jobs.Calls> copy() {
        return durations.entrySet().stream()
                .map(each -> new Jobs.Calls(each.getKey(), failed.getOrDefault(each.getKey(), 0L), each.getValue()))
                .toList();
    }
}
