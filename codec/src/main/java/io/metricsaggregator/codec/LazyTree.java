package io.metricsaggregator.codec;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps and lists whose values are computed each time they are read, so that {@link JsonTree} and {@link MsgpackTree} write a tree
 * of any size in the memory of its largest leaf. A view shows its source as it is when it is read; the source must not change
 * while a view is iterated. Unmodifiable. It may be used on the threads that may use its source.
 */
public final class LazyTree {
    private LazyTree() {}

    /**
     * The map from each key, as text, to {@code value} of key and value.
     *
     * @param source in the order in which the view is to be iterated; only its entry set is used, never a lookup
     * @param value computes one value; called anew for each read
     */
    public static <K, V, R extends @Nullable Object> Map<String, R> map(
            Map<K, V> source, BiFunction<? super K, ? super V, ? extends R> value) {
        return new MapView<>(source, value);
    }

    /**
     * The list of {@code value} of each element.
     *
     * @param value computes one element; called anew for each read
     */
    public static <T, R extends @Nullable Object> List<R> list(List<T> source, Function<? super T, ? extends R> value) {
        return new ListView<>(source, value);
    }

    private static final class MapView<K, V, R extends @Nullable Object> extends AbstractMap<String, R> {
        private final Map<K, V> source;
        private final BiFunction<? super K, ? super V, ? extends R> value;

        MapView(Map<K, V> source, BiFunction<? super K, ? super V, ? extends R> value) {
            this.source = source;
            this.value = value;
        }

        /** Answers without computing a value. */
        @Override
        public boolean containsKey(@Nullable Object key) {
            for (K each : source.keySet()) {
                if (String.valueOf(each).equals(key)) {
                    return true;
                }
            }
            return false;
        }

        /** Computes the value of one key. Searches all keys, since a lookup may reorder the source. */
        @Override
        public @Nullable R get(@Nullable Object key) {
            for (Map.Entry<K, V> each : source.entrySet()) {
                if (String.valueOf(each.getKey()).equals(key)) {
                    return value.apply(each.getKey(), each.getValue());
                }
            }
            return null;
        }

        @Override
        public Set<Map.Entry<String, R>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Map.Entry<String, R>> iterator() {
                    Iterator<Map.Entry<K, V>> entries = source.entrySet().iterator();
                    return new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return entries.hasNext();
                        }

                        @Override
                        public Map.Entry<String, R> next() {
                            Map.Entry<K, V> each = entries.next();
                            return new LazyEntry<>(each.getKey(), each.getValue(), value);
                        }
                    };
                }

                @Override
                public int size() {
                    return source.size();
                }
            };
        }
    }

    /** An entry that computes its value only when the value is read. */
    private static final class LazyEntry<K, V, R extends @Nullable Object> implements Map.Entry<String, R> {
        private final K key;
        private final V from;
        private final BiFunction<? super K, ? super V, ? extends R> value;

        LazyEntry(K key, V from, BiFunction<? super K, ? super V, ? extends R> value) {
            this.key = key;
            this.from = from;
            this.value = value;
        }

        @Override
        public String getKey() {
            return String.valueOf(key);
        }

        @Override
        public R getValue() {
            return value.apply(key, from);
        }

        @Override
        public R setValue(R other) {
            throw new UnsupportedOperationException("a view");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Map.Entry<?, ?> entry
                    && getKey().equals(entry.getKey())
                    && java.util.Objects.equals(getValue(), entry.getValue());
        }

        @Override
        public int hashCode() {
            return getKey().hashCode() ^ java.util.Objects.hashCode(getValue());
        }
    }

    private static final class ListView<T, R extends @Nullable Object> extends AbstractList<R> {
        private final List<T> source;
        private final Function<? super T, ? extends R> value;

        ListView(List<T> source, Function<? super T, ? extends R> value) {
            this.source = source;
            this.value = value;
        }

        @Override
        public R get(int index) {
            return value.apply(source.get(index));
        }

        @Override
        public int size() {
            return source.size();
        }
    }
}
