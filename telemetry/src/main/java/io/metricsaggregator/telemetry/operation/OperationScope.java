package io.metricsaggregator.telemetry.operation;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import io.metricsaggregator.telemetry.statistics.LiveStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Operations of all, of a source, or of a key: times, counters and attributes by name. */
final class OperationScope {
    /** Names of each sort shown while the run is live; all of them at the end. */
    static final int SHOWN_LIVE = 32;

    static final String OTHER = "other";
    private static final double NANOS_PER_MILLI = 1e6;

    private final int keptMax;
    private final RowBudget budget;
    private final Allowance allowance;
    private final TreeMap<String, Times> times = new TreeMap<>();
    private final Map<String, Long> counters = new TreeMap<>();
    private final Map<String, Attribute> attributes = new TreeMap<>();
    private int rows;

    /** Durations of an operation. */
    private static final class Times {
        private final LiveStatistics live = new LiveStatistics();
        private final Allowance allowance;
        private final InterpolatedStatistics nanos;
        private @Nullable InterpolatedStatistics failedNanos;
        private long sum;
        private long failedSum;
        private long last;
        private long lastAt = Long.MIN_VALUE;

        Times(int keptMax, Allowance allowance) {
            this.allowance = allowance;
            nanos = new InterpolatedStatistics(keptMax, allowance);
        }

        InterpolatedStatistics failed(int keptMax) {
            InterpolatedStatistics known = failedNanos;
            if (known == null) {
                known = new InterpolatedStatistics(keptMax, allowance);
                failedNanos = known;
            }
            return known;
        }
    }

    /** Values that were set. */
    private static final class Attribute {
        private long n;
        private Object last = "";
        private long lastAt = Long.MIN_VALUE;
        private boolean numeric = true;
        private double sum;
        private double min = Double.POSITIVE_INFINITY;
        private double max = Double.NEGATIVE_INFINITY;
    }

    /**
     * A scope.
     *
     * @param keptMax durations kept one by one, of each operation
     * @param budget rows of all scopes: a name that gets none shares the row {@code other} of its scope
     * @param allowance memory for durations
     */
    OperationScope(int keptMax, RowBudget budget, Allowance allowance) {
        this.keptMax = keptMax;
        this.budget = budget;
        this.allowance = allowance;
    }

    /** The name itself if it has a row, or gets one; {@code other} if there is no row left for it. */
    private String row(Map<String, ?> table, String name) {
        if (table.containsKey(name)) {
            return name;
        }
        if (budget.take()) {
            rows++;
            return name;
        }
        return OTHER;
    }

    /** Gives its rows and memory back; it is not used any more. */
    void release() {
        budget.giveBack(rows);
        times.values().forEach(each -> {
            each.nanos.release();
            if (each.failedNanos != null) {
                each.failedNanos.release();
            }
        });
    }

    void took(String name, long nanos, boolean ok, long at) {
        Times known = times.computeIfAbsent(row(times, name), each -> new Times(keptMax, allowance));
        if (!ok) {
            known.failed(keptMax).add((double) nanos);
            known.failedSum = TimestampMath.saturatedAdd(known.failedSum, nanos);
            return;
        }
        known.nanos.add((double) nanos);
        known.sum = TimestampMath.saturatedAdd(known.sum, nanos);
        if (at >= known.lastAt) {
            known.lastAt = at;
            known.last = nanos;
        }
    }

    void counted(String name, long by) {
        counters.merge(row(counters, name), by, TimestampMath::saturatedSum);
    }

    void set(String name, Object value, long at) {
        Attribute known = attributes.computeIfAbsent(row(attributes, name), each -> new Attribute());
        known.n++;
        if (at >= known.lastAt) {
            known.lastAt = at;
            known.last = value;
        }
        if (value instanceof Number number) {
            known.sum += number.doubleValue();
            known.min = Math.min(known.min, number.doubleValue());
            known.max = Math.max(known.max, number.doubleValue());
        } else {
            known.numeric = false;
        }
    }

    /** Takes over all of another, which is given up. */
    void addAll(OperationScope other) {
        other.times.forEach((name, from) -> {
            Times to = times.computeIfAbsent(row(times, name), each -> new Times(keptMax, allowance));
            to.nanos.addAll(from.nanos);
            to.sum = TimestampMath.saturatedAdd(to.sum, from.sum);
            InterpolatedStatistics failed = from.failedNanos;
            if (failed != null) {
                to.failed(keptMax).addAll(failed);
                to.failedSum = TimestampMath.saturatedAdd(to.failedSum, from.failedSum);
            }
            if (from.lastAt >= to.lastAt) {
                to.lastAt = from.lastAt;
                to.last = from.last;
            }
        });
        other.counters.forEach(this::counted);
        other.attributes.forEach((name, from) -> {
            Attribute to = attributes.computeIfAbsent(row(attributes, name), each -> new Attribute());
            to.n += from.n;
            to.numeric &= from.numeric;
            to.sum += from.sum;
            to.min = Math.min(to.min, from.min);
            to.max = Math.max(to.max, from.max);
            if (from.lastAt >= to.lastAt) {
                to.lastAt = from.lastAt;
                to.last = from.last;
            }
        });
    }

    /** All time in operations that succeeded, but for that which is a part of another's. */
    long topNanos() {
        long sum = 0;
        for (Map.Entry<String, Times> each : times.entrySet()) {
            int dot = each.getKey().lastIndexOf('.');
            if (dot < 0 || !times.containsKey(each.getKey().substring(0, dot))) {
                sum = TimestampMath.saturatedAdd(sum, each.getValue().sum);
            }
        }
        return sum;
    }

    /**
     * What is known.
     *
     * @param exact whether statistics must be of all durations
     */
    Map<String, @Nullable Object> freeze(boolean exact) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("times", LazyTree.map(shown(times, exact), (name, each) -> freeze(name, each, exact)));
        tree.put("counters", LazyTree.map(first(counters, exact), (name, count) -> count));
        tree.put("attributes", LazyTree.map(first(attributes, exact), (name, each) -> freeze(each)));
        int hidden = exact ? 0 : hidden(times) + hidden(counters) + hidden(attributes);
        if (hidden > 0) {
            tree.put("names_not_shown", (long) hidden);
        }
        double hits = sum(".cache_hits");
        double lookups = hits + sum(".cache_misses");
        if (lookups > 0) {
            tree.put("cache_hit_ratio", hits / lookups);
        }
        return tree;
    }

    private static int hidden(Map<String, ?> table) {
        return Math.max(0, table.size() - SHOWN_LIVE);
    }

    /** The first names in their order, or all. */
    private static <T> Map<String, T> first(Map<String, T> table, boolean all) {
        if (all || table.size() <= SHOWN_LIVE) {
            return table;
        }
        Map<String, T> some = new LinkedHashMap<>();
        table.entrySet().stream().limit(SHOWN_LIVE).forEach(each -> some.put(each.getKey(), each.getValue()));
        return some;
    }

    /** The names that took the most time, or all, in the order of names. */
    private static Map<String, Times> shown(Map<String, Times> times, boolean all) {
        if (all || times.size() <= SHOWN_LIVE) {
            return times;
        }
        Map<String, Times> most = new TreeMap<>();
        times.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().sum))
                .limit(SHOWN_LIVE)
                .forEach(each -> most.put(each.getKey(), each.getValue()));
        return most;
    }

    private double sum(String suffix) {
        double sum = 0;
        for (Map.Entry<String, Long> each : counters.entrySet()) {
            sum += each.getKey().endsWith(suffix) ? each.getValue() : 0;
        }
        return sum;
    }

    private Map<String, @Nullable Object> freeze(String name, Times each, boolean exact) {
        Map<String, @Nullable Object> tree = each.live.of(
                each.nanos, exact, () -> each.nanos.over(NANOS_PER_MILLI).statistics("_ms", 50, 90, 99));
        tree.remove("sum_ms");
        boolean any = each.nanos.count() > 0;
        tree.put("sum_ns", each.sum);
        tree.put("last_ms", any ? each.last / NANOS_PER_MILLI : null);
        tree.put("last_timestamp_ns", any ? each.lastAt : null);
        tree.put("percentile_method", each.nanos.method());
        List<String> children = new ArrayList<>();
        long inChildren = 0;
        // All names from `name.` on, up to the character after the dot.
        for (Map.Entry<String, Times> other :
                times.subMap(name + '.', name + '/').entrySet()) {
            String full = other.getKey();
            if (full.length() > name.length() + 1 && full.indexOf('.', name.length() + 1) < 0) {
                children.add(full);
                inChildren = TimestampMath.saturatedAdd(inChildren, other.getValue().sum);
            }
        }
        if (!exact && children.size() > SHOWN_LIVE) {
            children = new ArrayList<>(children.subList(0, SHOWN_LIVE));
        }
        tree.put("children", children);
        // Below 0 where children ran at the same time.
        tree.put("self_sum_ns", each.sum - inChildren);
        InterpolatedStatistics failed = each.failedNanos;
        tree.put("n_failed", failed == null ? 0L : failed.count());
        if (failed != null) {
            Map<String, @Nullable Object> apart = failed.over(NANOS_PER_MILLI).statistics("_ms", 50, 90, 99);
            apart.remove("sum_ms");
            apart.put("sum_ns", each.failedSum);
            tree.put("failed", apart);
        }
        return tree;
    }

    private static Map<String, @Nullable Object> freeze(Attribute each) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n", each.n);
        tree.put("last", each.last);
        tree.put("numeric", each.numeric);
        if (each.numeric) {
            tree.put("sum", each.sum);
            tree.put("min", each.min);
            tree.put("max", each.max);
        }
        return tree;
    }

    /** The value of an {@code operation.attr}: a number, a text or a truth. */
    static Object scalar(TelemetryRecord from) throws TelemetryRecord.Rejected {
        Object value = from.fields().get("value");
        if (value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Number) {
            return from.real("value");
        }
        if (value instanceof String text) {
            return text.length() > TelemetryRecord.NAME_MAX_CHARS
                    ? text.substring(0, TelemetryRecord.NAME_MAX_CHARS)
                    : text;
        }
        throw new TelemetryRecord.Rejected(value == null ? "missing_value" : "invalid_value");
    }
}
