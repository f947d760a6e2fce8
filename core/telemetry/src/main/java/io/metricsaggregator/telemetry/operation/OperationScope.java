package io.metricsaggregator.telemetry.operation;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.SnapshotRows;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import io.metricsaggregator.telemetry.statistics.LiveStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Operations of all sources and keys, of one source or of one key: durations, counters and attributes by name. Belongs to the thread that applies
 * events.
 */
final class OperationScope {
    /** Names of each of the three maps in a live snapshot; the last snapshot has all. */
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

    /** Durations of one name. */
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

    /** Values that were set for one name. */
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
     * A scope without records.
     *
     * @param keptMax maximum number of durations of a name that are kept one by one
     * @param budget rows that all scopes share; a name without a row shares the row {@code other} of its scope
     * @param allowance memory for durations
     */
    OperationScope(int keptMax, RowBudget budget, Allowance allowance) {
        this.keptMax = keptMax;
        this.budget = budget;
        this.allowance = allowance;
    }

    /** The name if it has or gets a row; {@code other} if no row is left. */
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

    /** Returns its rows and memory. The scope must not be changed afterwards. */
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

    /** Adds all records of an evicted scope. */
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

    /** Nanoseconds of successful operations without a parent, so that the time of children counts once. */
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
     * The state of the scope.
     *
     * @param terminal whether this is the run's last snapshot: then statistics cover all durations and all names are shown
     */
    OperationSnapshot.Scope snapshot(boolean terminal) {
        double hits = sum(".cache_hits");
        double lookups = hits + sum(".cache_misses");
        return new OperationSnapshot.Scope(
                SnapshotRows.of(shown(times, terminal), (name, each) -> times(name, each, terminal), terminal),
                new LinkedHashMap<>(first(counters, terminal)),
                SnapshotRows.of(first(attributes, terminal), (name, each) -> attribute(each), terminal),
                terminal ? 0 : hidden(times) + hidden(counters) + hidden(attributes),
                lookups > 0 ? (Double) (hits / lookups) : null);
    }

    private static int hidden(Map<String, ?> table) {
        return Math.max(0, table.size() - SHOWN_LIVE);
    }

    /** The names of a snapshot in their order: all, or the first of a live one. */
    private static <T> Map<String, T> first(Map<String, T> table, boolean all) {
        if (all || table.size() <= SHOWN_LIVE) {
            return table;
        }
        Map<String, T> some = new LinkedHashMap<>();
        table.entrySet().stream().limit(SHOWN_LIVE).forEach(each -> some.put(each.getKey(), each.getValue()));
        return some;
    }

    /** The names of a snapshot in their order: all, or those with the most time of a live one. */
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

    private OperationSnapshot.Times times(String name, Times each, boolean terminal) {
        boolean any = each.nanos.count() > 0;
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
        if (!terminal && children.size() > SHOWN_LIVE) {
            children = new ArrayList<>(children.subList(0, SHOWN_LIVE));
        }
        InterpolatedStatistics failed = each.failedNanos;
        return new OperationSnapshot.Times(
                each.live.of(each.nanos, terminal, () -> millis(each.nanos)),
                each.sum,
                any ? (Double) (each.last / NANOS_PER_MILLI) : null,
                any ? (Long) each.lastAt : null,
                each.nanos.method(),
                children,
                each.sum - inChildren,
                failed == null ? 0 : failed.count(),
                failed == null ? null : new OperationSnapshot.Failed(millis(failed), each.failedSum));
    }

    private static ValueStatistics millis(InterpolatedStatistics nanos) {
        return nanos.over(NANOS_PER_MILLI).values(50, 90, 99);
    }

    private static OperationSnapshot.Attribute attribute(Attribute each) {
        return new OperationSnapshot.Attribute(
                each.n, each.last, each.numeric ? new OperationSnapshot.Numbers(each.sum, each.min, each.max) : null);
    }

    /** The value of an {@code operation.attr}: a boolean, a number or a string of limited length. */
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
