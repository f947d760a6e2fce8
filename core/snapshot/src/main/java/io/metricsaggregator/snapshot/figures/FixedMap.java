package io.metricsaggregator.snapshot.figures;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An unmodifiable map that keeps the order of its entries. A copy of one is itself, so that a record can be made anew of the parts of another. */
public final class FixedMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {
    private final Map<K, V> entries;

    private FixedMap(Map<K, V> entries) {
        this.entries = entries;
    }

    /** The entries of a map in its order. */
    public static <K, V extends @Nullable Object> Map<K, V> copyOf(Map<K, V> map) {
        return map instanceof FixedMap ? map : new FixedMap<>(Collections.unmodifiableMap(new LinkedHashMap<>(map)));
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return entries.entrySet();
    }

    @Override
    public Set<K> keySet() {
        return entries.keySet();
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        return entries.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return entries.containsKey(key);
    }
}
