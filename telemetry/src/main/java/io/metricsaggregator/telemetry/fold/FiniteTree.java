package io.metricsaggregator.telemetry.fold;

import io.metricsaggregator.codec.LazyTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the state of a fold fit for a snapshot: numbers that are not finite become null. Sums of numbers that producers chose can overflow. */
public final class FiniteTree {
    private FiniteTree() {}

    /**
     * The tree with only finite numbers.
     *
     * @param view whether to return a view of the tree, which must not change any more; otherwise a copy
     */
    public static Map<String, @Nullable Object> of(Map<String, @Nullable Object> tree, boolean view) {
        return view ? LazyTree.map(tree, (key, each) -> view(each)) : copy(tree);
    }

    /** A view of the value in which numbers that are not finite are null: sums of numbers that producers chose can overflow. */
    private static @Nullable Object view(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        if (value instanceof Map<?, ?> map) {
            return LazyTree.map(map, (key, each) -> view(each));
        }
        return value instanceof List<?> list ? LazyTree.list(list, FiniteTree::view) : value;
    }

    /** A copy of the value in which numbers that are not finite are null. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        if (value instanceof Map<?, ?> map) {
            return copy(map);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(plain(each)));
            return copy;
        }
        return value;
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, each) -> copy.put(String.valueOf(key), plain(each)));
        return copy;
    }
}
