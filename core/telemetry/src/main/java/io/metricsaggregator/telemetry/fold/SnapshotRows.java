package io.metricsaggregator.telemetry.fold;

import io.metricsaggregator.codec.LazyTree;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** Rows of a snapshot by name: a copy while the fold applies further records, a view of the fold in the last snapshot. */
public final class SnapshotRows {
    private SnapshotRows() {}

    /**
     * The row of each entry, in the order of the source.
     *
     * @param source may have a million entries
     * @param row computes the row of one entry; the view calls it on each read
     * @param terminal whether the result is a view, for which the source must not change any more
     */
    public static <V, R> Map<String, R> of(
            Map<String, V> source, BiFunction<String, ? super V, ? extends R> row, boolean terminal) {
        if (terminal) {
            return LazyTree.map(source, row);
        }
        Map<String, R> copy = new LinkedHashMap<>();
        source.forEach((name, each) -> copy.put(name, row.apply(name, each)));
        return Collections.unmodifiableMap(copy);
    }
}
