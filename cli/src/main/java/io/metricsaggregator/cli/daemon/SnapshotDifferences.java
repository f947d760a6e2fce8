package io.metricsaggregator.cli.daemon;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares every value of the final snapshot of MLCommons endpoints' own aggregator with ours. Integers and percentiles must be equal;
 * reals may differ by a relative 1e-12, as sums of them depend on the order in which texts are counted. The number of the snapshot and
 * its time of writing are left out: they are of the process, not of the run. What only our snapshot has is not compared.
 *
 * @param values number of values compared
 * @param counters number of counters among them
 * @param series number of series whose values are among them
 * @param percentiles number of percentiles among them
 * @param differing one line for each value that differs: where it stands, theirs, ours
 */
record SnapshotDifferences(int values, int counters, int series, int percentiles, List<String> differing) {
    private static final double RELATIVE = 1e-12;

    SnapshotDifferences {
        differing = List.copyOf(differing);
    }

    /** Compares two snapshots as trees of JSON. */
    static SnapshotDifferences of(Map<String, ?> theirs, Map<String, ?> ours) {
        Comparison comparison = new Comparison();
        for (String field : List.of("state", "n_pending_tasks")) {
            if (theirs.containsKey(field)) {
                comparison.compare(field, theirs.get(field), ours.get(field));
            }
        }
        Map<String, Map<?, ?>> ourMetrics = byName(ours);
        byName(theirs).forEach((name, metric) -> comparison.metric(name, metric, ourMetrics.get(name)));
        return comparison.result();
    }

    private static Map<String, Map<?, ?>> byName(Map<String, ?> snapshot) {
        Map<String, Map<?, ?>> metrics = new LinkedHashMap<>();
        if (snapshot.get("metrics") instanceof List<?> all) {
            for (Object each : all) {
                if (each instanceof Map<?, ?> metric) {
                    metrics.put(String.valueOf(metric.get("name")), metric);
                }
            }
        }
        return metrics;
    }

    /** Whether every value is equal, and there is one. */
    boolean isEqual() {
        return differing.isEmpty() && values > 0;
    }

    /** What was compared and what came out, as one clause. */
    String summary() {
        String what = values + " values of " + counters + " counters and " + series + " series, " + percentiles
                + " of them percentiles";
        return differing.isEmpty() ? what + ": all equal" : what + ": " + differing.size() + " differ";
    }

    /** Walks through both trees. */
    private static final class Comparison {
        private final List<String> differing = new ArrayList<>();
        private int values;
        private int counters;
        private int series;
        private int percentiles;

        SnapshotDifferences result() {
            return new SnapshotDifferences(values, counters, series, percentiles, differing);
        }

        void metric(String name, Map<?, ?> theirs, @Nullable Map<?, ?> ours) {
            boolean counter = "counter".equals(theirs.get("type"));
            counters += counter ? 1 : 0;
            series += counter ? 0 : 1;
            if (ours == null) {
                values++;
                differing.add(name + ": only in the tool's snapshot");
                return;
            }
            theirs.forEach((key, value) -> {
                if (!key.equals("name")) {
                    compare(counter && key.equals("value") ? name : name + " " + key, value, ours.get(key));
                }
            });
        }

        void compare(String where, @Nullable Object theirs, @Nullable Object ours) {
            if (theirs instanceof Map<?, ?> map) {
                Map<?, ?> other = ours instanceof Map<?, ?> given ? given : Map.of();
                map.forEach((key, value) -> compare(where + " " + key, value, other.get(key)));
            } else if (theirs instanceof List<?> list) {
                List<?> other = ours instanceof List<?> given ? given : List.of();
                if (list.size() != other.size()) {
                    different(where + " size", list.size(), other.size());
                }
                for (int i = 0; i < Math.min(list.size(), other.size()); i++) {
                    compare(where + " " + i, list.get(i), other.get(i));
                }
            } else {
                values++;
                percentiles += where.contains(" percentiles ") ? 1 : 0;
                if (!equal(theirs, ours)) {
                    different(where, theirs, ours);
                }
            }
        }

        private void different(String where, @Nullable Object theirs, @Nullable Object ours) {
            differing.add(where + ": tool " + theirs + ", ours " + ours);
        }

        private static boolean equal(@Nullable Object theirs, @Nullable Object ours) {
            if (theirs instanceof Double expected && ours instanceof Double actual) {
                return expected.equals(actual)
                        || Math.abs(expected - actual) <= RELATIVE * Math.max(Math.abs(expected), Math.abs(actual));
            }
            return Objects.equals(integer(theirs), integer(ours));
        }

        /** An integer of any size as one type; 1 and 1.0 stay different results. */
        private static @Nullable Object integer(@Nullable Object value) {
            return value instanceof Long || value instanceof Integer
                    ? (Object) BigInteger.valueOf(((Number) value).longValue())
                    : value;
        }
    }
}
