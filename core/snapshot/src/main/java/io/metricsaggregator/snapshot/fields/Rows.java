package io.metricsaggregator.snapshot.fields;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Rows that are written as a map by their names. */
final class Rows {
    private Rows() {}

    /** The rows; of those with the same name the last one, in the place of the first: a label may have the name of the row for all others. */
    static <T> List<T> lastOfEachName(List<T> rows, Function<T, String> name) {
        Set<String> names = new HashSet<>(2 * rows.size());
        for (T each : rows) {
            if (!names.add(name.apply(each))) {
                Map<String, T> last = new LinkedHashMap<>();
                rows.forEach(row -> last.put(name.apply(row), row));
                return new ArrayList<>(last.values());
            }
        }
        return rows;
    }
}
