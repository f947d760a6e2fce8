package io.metricsaggregator.telemetry.operation;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.telemetry.fold.RowBudget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * ProxyStore's {@code StoreMetrics} of one process: by key, and of all keys. Keys are kept up to {@link #KEYS_MAX} for a process and up to
 * {@code --max-keys} for all processes, rows up to a limit for all processes; what is beyond counts for the figures of all keys alone, and
 * is counted in {@code records_of_keys_left_out}.
 */
final class StoreCompat {
    static final int KEYS_MAX = 4096;

    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Map<String, TimeStats> beyond = new LinkedHashMap<>();
    private final BooleanSupplier newKey;
    private final RowBudget rows;
    private long keysLeftOut;

    /**
     * Of a process that has recorded nothing.
     *
     * @param newKey takes a key from what all processes may have; false if there is none left
     * @param rows of all processes
     */
    StoreCompat(BooleanSupplier newKey, RowBudget rows) {
        this.newKey = newKey;
        this.rows = rows;
    }

    /** One key's. */
    private static final class Key {
        private final Map<String, Object> attributes = new LinkedHashMap<>();
        private final Map<String, Long> counters = new LinkedHashMap<>();
        private final Map<String, TimeStats> times = new LinkedHashMap<>();
    }

    /** As upstream's class of that name: running mean, extremes, and what was recorded last. */
    static final class TimeStats {
        private long count;
        private double average;
        private double min = Double.POSITIVE_INFINITY;
        private double max;
        private double last;
        private double lastTimestamp;

        void add(double millis, double seconds) {
            average = (average * count + millis) / (count + 1);
            min = Math.min(min, millis);
            max = Math.max(max, millis);
            last = millis;
            lastTimestamp = seconds;
            count++;
        }

        /** Upstream's {@code +}: the right one's last wins a tie. */
        void add(TimeStats other) {
            average = (average * count + other.average * other.count) / (count + other.count);
            min = Math.min(min, other.min);
            max = Math.max(max, other.max);
            last = lastTimestamp > other.lastTimestamp ? last : other.last;
            lastTimestamp = Math.max(lastTimestamp, other.lastTimestamp);
            count += other.count;
        }

        Map<String, Object> freeze() {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("count", count);
            tree.put("avg_time_ms", average);
            tree.put("min_time_ms", min);
            tree.put("max_time_ms", max);
            tree.put("last_time_ms", last);
            tree.put("last_timestamp", lastTimestamp);
            return tree;
        }
    }

    /** The row of a key; null if there is none for it. */
    private @Nullable Key key(String key) {
        Key known = keys.get(key);
        if (known == null && keys.size() < KEYS_MAX && newKey.getAsBoolean()) {
            known = new Key();
            keys.put(key, known);
        }
        return known;
    }

    private boolean hasRow(@Nullable Map<String, ?> table, String name) {
        if (table != null && (table.containsKey(name) || rows.take())) {
            return true;
        }
        keysLeftOut++;
        return false;
    }

    void took(String key, String name, long nanos, long at) {
        Key known = key(key);
        Map<String, TimeStats> own = known == null ? null : known.times;
        Map<String, TimeStats> times = hasRow(own, name) && own != null ? own : beyond;
        times.computeIfAbsent(name, each -> new TimeStats()).add(nanos / 1e6, at / 1e9);
    }

    void counted(String key, String name, long by) {
        Key known = key(key);
        if (hasRow(known == null ? null : known.counters, name) && known != null) {
            known.counters.merge(name, by, TimestampMath::saturatedSum);
        }
    }

    void set(String key, String name, Object value) {
        Key known = key(key);
        if (hasRow(known == null ? null : known.attributes, name) && known != null) {
            known.attributes.put(name, value);
        }
    }

    /** Keys it knows. */
    int keys() {
        return keys.size();
    }

    /** Times of all keys, in the order in which they were first seen. */
    Map<String, TimeStats> aggregate() {
        Map<String, TimeStats> all = new LinkedHashMap<>();
        keys.values().forEach(key -> addAll(all, key.times));
        addAll(all, beyond);
        return all;
    }

    /** Adds a duration to the times of a name, as if it were the only one of a process of its own. */
    static void addOne(Map<String, TimeStats> to, String name, long nanos, long at) {
        TimeStats one = new TimeStats();
        one.add(nanos / 1e6, at / 1e9);
        to.computeIfAbsent(name, each -> new TimeStats()).add(one);
    }

    /** Adds times by name. */
    static void addAll(Map<String, TimeStats> to, Map<String, TimeStats> from) {
        from.forEach(
                (name, each) -> to.computeIfAbsent(name, any -> new TimeStats()).add(each));
    }

    static Map<String, Object> freeze(Map<String, TimeStats> times) {
        Map<String, Object> tree = new LinkedHashMap<>();
        times.forEach((name, each) -> tree.put(name, each.freeze()));
        return tree;
    }

    Map<String, Object> freeze() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("by_key", LazyTree.map(keys, (name, key) -> freeze(key)));
        tree.put("aggregate_times", freeze(aggregate()));
        tree.put("records_of_keys_left_out", keysLeftOut);
        return tree;
    }

    private static Map<String, Object> freeze(Key key) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("attributes", new LinkedHashMap<>(key.attributes));
        one.put("counters", new LinkedHashMap<>(key.counters));
        one.put("times", freeze(key.times));
        return one;
    }
}
