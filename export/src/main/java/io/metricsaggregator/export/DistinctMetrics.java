package io.metricsaggregator.export;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Metrics that every collector accepts: no two with the same name and labels, none of two kinds under one name, no counter below zero. A
 * collector that meets such a pair refuses the whole export, so counters that collide are added up, gauges that collide get the label
 * {@code conflict}, and the rest is left out; all of it is counted.
 */
final class DistinctMetrics {
    private static final String CONFLICT = "conflict";

    private final Map<Identity, Exported> metrics = new LinkedHashMap<>();
    private final Map<String, Class<?>> kinds = new HashMap<>();
    private int conflicts;
    private int leftOut;

    private record Identity(String name, Map<String, String> labels) {}

    void addAll(List<Exported> all) {
        all.forEach(this::add);
    }

    void add(Exported metric) {
        Class<?> kind = kinds.putIfAbsent(metric.name(), metric.getClass());
        if (kind != null && kind != metric.getClass()) {
            leftOut++;
        } else if (metric instanceof Exported.Counter counter) {
            add(counter);
        } else if (metric instanceof Exported.Gauge gauge) {
            add(gauge);
        } else if (metrics.putIfAbsent(new Identity(metric.name(), Map.of()), metric) != null) {
            leftOut++;
        }
    }

    private void add(Exported.Counter counter) {
        if (counter.value() < 0) {
            // A counter below zero stands for "unknown".
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

    private void add(Exported.Gauge gauge) {
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

    /** Notes label sets that collided before they came here. */
    void countConflicts(int more) {
        conflicts += more;
    }

    /** Notes rows that were left out before they came here. */
    void countLeftOut(int more) {
        leftOut += more;
    }

    /** All of them, in order. */
    ExportModel finish() {
        return new ExportModel(List.copyOf(metrics.values()), conflicts, leftOut);
    }
}
