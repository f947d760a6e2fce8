package io.metricsaggregator.export;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes metrics distinct by name and labels, each name of one kind, with counters of at least zero. Collectors reject a whole export
 * that violates this. Colliding counters are summed, colliding gauges get the label {@code conflict}, anything else is left out; all
 * three are counted. Not thread-safe: one instance per export.
 */
final class DistinctMetrics implements Exported.Visitor {
    /** Begins all names of ours. */
    static final String PREFIX = "metrics_aggregator_";

    private static final String CONFLICT = "conflict";

    private final Map<Identity, Exported> metrics = new LinkedHashMap<>();
    private final Map<String, Class<?>> kinds = new HashMap<>();
    private int conflicts;
    private int leftOut;

    private record Identity(String name, Map<String, String> labels) {}

    /** Adds a gauge of ours; null is unknown, and none. */
    void gauge(String name, String help, Map<String, String> labels, @Nullable Number value) {
        if (value != null) {
            add(new Exported.Gauge(PREFIX + name, help, labels, value.doubleValue()));
        }
    }

    /** Adds a counter of ours; null is unknown, and none. */
    void counter(String name, String help, Map<String, String> labels, @Nullable Number value) {
        if (value != null) {
            add(new Exported.Counter(PREFIX + name, help, labels, value.doubleValue()));
        }
    }

    /** Nanoseconds in seconds; null for null. */
    static @Nullable Double seconds(@Nullable Long nanos) {
        return nanos == null ? null : (Double) (nanos * 1e-9);
    }

    /** Adds a metric; null is none. */
    void add(@Nullable Exported metric) {
        if (metric == null) {
            return;
        }
        Class<?> kind = kinds.putIfAbsent(metric.name(), metric.getClass());
        if (kind != null && kind != metric.getClass()) {
            leftOut++;
        } else {
            metric.accept(this);
        }
    }

    @Override
    public void distribution(Exported.Distribution distribution) {
        if (metrics.putIfAbsent(new Identity(distribution.name(), distribution.labels()), distribution) != null) {
            leftOut++;
        }
    }

    @Override
    public void counter(Exported.Counter counter) {
        if (counter.value() < 0) {
            // A negative counter means "unknown".
            leftOut++;
            return;
        }
        Identity identity = new Identity(counter.name(), counter.labels());
        Exported there = metrics.putIfAbsent(identity, counter);
        if (there instanceof Exported.Counter first) {
            conflicts++;
            metrics.put(
                    identity,
                    new Exported.Counter(
                            counter.name(), counter.help(), counter.labels(), first.value() + counter.value()));
        }
    }

    @Override
    public void gauge(Exported.Gauge gauge) {
        Map<String, String> labels = gauge.labels();
        int number = 0;
        while (metrics.containsKey(new Identity(gauge.name(), labels))) {
            number++;
            labels = new LinkedHashMap<>(gauge.labels());
            labels.put(CONFLICT, Integer.toString(number));
        }
        conflicts += number == 0 ? 0 : 1;
        metrics.put(
                new Identity(gauge.name(), labels),
                new Exported.Gauge(gauge.name(), gauge.help(), labels, gauge.value()));
    }

    /** Adds label sets that the caller found colliding. */
    void countConflicts(int more) {
        conflicts += more;
    }

    /** Adds rows that the caller left out. */
    void countLeftOut(int more) {
        leftOut += more;
    }

    /** The metrics in the order of their first {@link #add}, and the counts. */
    ExportModel finish() {
        return new ExportModel(List.copyOf(metrics.values()), conflicts, leftOut);
    }
}
