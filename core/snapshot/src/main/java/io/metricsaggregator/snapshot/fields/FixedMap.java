package io.metricsaggregator.snapshot.fields;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map that keeps the order of its entries. A copy of one is itself, so that a record can be made anew of the parts of another. Few
 * entries are two arrays: maps of percentiles are read and dropped many times a second.
 */
public final class FixedMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {
    /** Beyond, a map of the JDK finds entries faster. */
    static final int SMALL = 24;

    private final @Nullable Object[] keys;
    private final @Nullable Object[] values;
    /** The entries of a larger map; null where the arrays have them. */
    private final @Nullable Map<K, V> large;

    private FixedMap(@Nullable Object[] keys, @Nullable Object[] values, @Nullable Map<K, V> large) {
        this.keys = keys;
        this.values = values;
        this.large = large;
    }

    /** The entries of a map in its order. */
    public static <K, V extends @Nullable Object> Map<K, V> copyOf(Map<K, V> map) {
        if (map instanceof FixedMap) {
            return map;
        }
        if (map.size() > SMALL) {
            return new FixedMap<>(new Object[0], new Object[0], Collections.unmodifiableMap(new LinkedHashMap<>(map)));
        }
        @Nullable Object[] keys = new Object[map.size()];
        @Nullable Object[] values = new Object[map.size()];
        int i = 0;
        for (Map.Entry<K, V> each : map.entrySet()) {
            keys[i] = each.getKey();
            values[i++] = each.getValue();
        }
        return new FixedMap<>(keys, values, null);
    }

    /** A map of at most {@link #SMALL} keys, which differ. The arrays belong to the map; several maps may have the same keys. */
    static <V> Map<String, V> of(String[] keys, Object[] values) {
        return new FixedMap<>(keys, values, null);
    }

    private int find(@Nullable Object key) {
        for (int i = 0; i < keys.length; i++) {
            Object each = keys[i];
            if (each != null && each.equals(key)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int size() {
        return large == null ? keys.length : large.size();
    }

    @Override
    @SuppressWarnings("unchecked") // values[i] was put as a V
    public @Nullable V get(@Nullable Object key) {
        if (large != null) {
            return large.get(key);
        }
        int i = find(key);
        return i < 0 ? null : (V) values[i];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return large == null ? find(key) >= 0 : large.containsKey(key);
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return large == null ? new Entries() : large.entrySet();
    }

    private final class Entries extends AbstractSet<Map.Entry<K, V>> {
        @Override
        public int size() {
            return keys.length;
        }

        @Override
        public Iterator<Map.Entry<K, V>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.length;
                }

                @Override
                @SuppressWarnings({"unchecked", "NullAway"}) // keys and values of the map's types
                public Map.Entry<K, V> next() {
                    if (next == keys.length) {
                        throw new NoSuchElementException();
                    }
                    return new SimpleImmutableEntry<>((K) keys[next], (V) values[next++]);
                }
            };
        }
    }
}
