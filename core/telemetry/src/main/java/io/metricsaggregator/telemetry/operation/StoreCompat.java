package io.metricsaggregator.telemetry.operation;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.telemetry.ProxyStoreMetrics;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.SnapshotRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * ProxyStore's {@code StoreMetrics} of one process, by key. At most {@link #KEYS_MAX} keys of a process, {@code --max-keys} keys of all processes and a
 * limited number of rows are kept. The times of further keys count only in the figures of all keys, and their records are counted as left out. Belongs to
 * the thread that applies events.
 */
final class StoreCompat {
    static final int KEYS_MAX = 4096;

    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Map<String, TimeStats> beyond = new LinkedHashMap<>();
    private final BooleanSupplier newKey;
    private final RowBudget rows;
    private long keysLeftOut;

    /**
     * The figures of a process without records.
     *
     * @param newKey takes one of the keys that all processes share; false if none is left
     * @param rows rows that all processes share
     */
    StoreCompat(BooleanSupplier newKey, RowBudget rows) {
        this.newKey = newKey;
        this.rows = rows;
    }

    /** The figures of one key. */
    private static final class Key {
        private final Map<String, Object> attributes = new LinkedHashMap<>();
        private final Map<String, Long> counters = new LinkedHashMap<>();
        private final Map<String, TimeStats> times = new LinkedHashMap<>();
    }

    /** ProxyStore's class of that name: running mean, extremes and the newest duration, in milliseconds and seconds. */
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

        /** ProxyStore's {@code __add__}: at equal timestamps the last duration of {@code other} wins. */
        void add(TimeStats other) {
            average = (average * count + other.average * other.count) / (count + other.count);
            min = Math.min(min, other.min);
            max = Math.max(max, other.max);
            last = lastTimestamp > other.lastTimestamp ? last : other.last;
            lastTimestamp = Math.max(lastTimestamp, other.lastTimestamp);
            count += other.count;
        }

        ProxyStoreMetrics.TimeStats snapshot() {
            return new ProxyStoreMetrics.TimeStats(count, average, min, max, last, lastTimestamp);
        }
    }

    /** The figures of a key; null if no further key can be kept. */
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

    /** Number of keys that are kept. */
    int keys() {
        return keys.size();
    }

    /** Times of all keys by name, in the order in which the keys were first recorded. */
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

    /** Adds the times of each name. */
    static void addAll(Map<String, TimeStats> to, Map<String, TimeStats> from) {
        from.forEach(
                (name, each) -> to.computeIfAbsent(name, any -> new TimeStats()).add(each));
    }

    static Map<String, ProxyStoreMetrics.TimeStats> snapshot(Map<String, TimeStats> times) {
        Map<String, ProxyStoreMetrics.TimeStats> copy = new LinkedHashMap<>();
        times.forEach((name, each) -> copy.put(name, each.snapshot()));
        return copy;
    }

    /** The figures of the process in the last snapshot; those of keys are a view. */
    ProxyStoreMetrics.Instance snapshot() {
        return new ProxyStoreMetrics.Instance(
                SnapshotRows.of(keys, (name, key) -> snapshot(key), true), snapshot(aggregate()), keysLeftOut);
    }

    private static ProxyStoreMetrics.Key snapshot(Key key) {
        return new ProxyStoreMetrics.Key(
                new LinkedHashMap<>(key.attributes), new LinkedHashMap<>(key.counters), snapshot(key.times));
    }
}
