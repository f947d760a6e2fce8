package io.metricsaggregator.telemetry.metric;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.FiniteTree;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import io.metricsaggregator.telemetry.statistics.LiveStatistics;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Anybody's own metrics: {@code metric.count} adds to a counter, {@code metric.gauge} says how much there is, {@code metric.record} adds a value to a
 * series. By name and labels; beyond a bound what is new goes to a row {@code other} of its kind, and is counted.
 */
public final class MetricFold implements TelemetryFold {
    static final int SERIES_MAX = TelemetryLimits.METRIC_SERIES_MAX;

    private static final int LABELS_MAX = 8;
    private static final int LABEL_MAX = 128;
    private static final int KEPT = 16_384;
    private static final int BUCKETS = 256;
    private static final long SECOND = 1_000_000_000L;

    private final Map<Id, Metric> metrics = new LinkedHashMap<>();
    private final TimeGrid wallGrid = new TimeGrid(BUCKETS, SECOND);
    private final TimeGrid monotonicGrid = new TimeGrid(BUCKETS, SECOND);
    private final RowBudget rows;
    private final Allowance allowance;

    /** None, with memory for all. */
    public MetricFold() {
        this(TelemetryLimits.ample(), Allowance.unlimited());
    }

    /** None, with room for as many as the limits say. */
    public MetricFold(TelemetryLimits limits, Allowance allowance) {
        this.rows = new RowBudget(limits.metricSeries(), TelemetryLimits.METRIC_BYTES, allowance);
        this.allowance = allowance;
    }

    private record Id(String kind, String name, Map<String, String> labels) {}

    /** One of them. */
    private static final class Metric {
        private final LiveStatistics live = new LiveStatistics();
        private final TimeGrid.Column column;
        private final boolean wall;
        private final @Nullable InterpolatedStatistics values;
        private String unit;
        private double sum;
        private long count;
        private double last = Double.NaN;
        private double min = Double.NaN;
        private double max = Double.NaN;
        private long lastAt = Long.MIN_VALUE;

        Metric(TimeGrid grid, boolean wall, @Nullable InterpolatedStatistics values, String unit) {
            this.column = grid.column();
            this.wall = wall;
            this.values = values;
            this.unit = unit;
        }

        void take(double value, long at, String saidUnit) {
            sum += value;
            count++;
            min = Double.isNaN(min) ? value : Math.min(min, value);
            max = Double.isNaN(max) ? value : Math.max(max, value);
            if (at >= lastAt) {
                lastAt = at;
                last = value;
            }
            if (unit.isEmpty()) {
                unit = saidUnit;
            }
            if (values != null) {
                values.add(value);
            }
            column.record(at, value, 1);
        }
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.METRIC;
    }

    @Override
    public List<String> categories() {
        return List.of("metric");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        String kind = observation.action();
        if (!kind.equals("count") && !kind.equals("gauge") && !kind.equals("record")) {
            throw new TelemetryRecord.Rejected("unknown_type");
        }
        String name = observation.text("name");
        if (name == null || name.isEmpty() || name.length() > TelemetryRecord.NAME_MAX_CHARS) {
            throw new TelemetryRecord.Rejected(name == null ? "missing_name" : "invalid_name");
        }
        boolean counts = kind.equals("count");
        double value = counts && !observation.has("value") ? 1 : observation.real("value");
        if (counts && value < 0) {
            throw new TelemetryRecord.Rejected("negative_value");
        }
        String unit = observation.text("unit");
        Metric metric = metric(observation, new Id(kind, name, labels(observation)), unit == null ? "" : unit);
        metric.take(value, observation.orderNanos(), unit == null ? "" : cut(unit));
    }

    private static String cut(String text) {
        return text.length() > LABEL_MAX ? text.substring(0, LABEL_MAX) : text;
    }

    private static Map<String, String> labels(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        Map<String, String> labels = new TreeMap<>();
        Object given = observation.fields().get("labels");
        if (given == null) {
            return labels;
        }
        if (!(given instanceof Map<?, ?> map)) {
            throw new TelemetryRecord.Rejected("invalid_labels");
        }
        if (map.size() > LABELS_MAX) {
            throw new TelemetryRecord.Rejected("too_many_labels");
        }
        for (Map.Entry<?, ?> each : map.entrySet()) {
            if (!(each.getKey() instanceof String key) || !(each.getValue() instanceof String text)) {
                throw new TelemetryRecord.Rejected("invalid_labels");
            }
            labels.put(cut(key), cut(text));
        }
        return labels;
    }

    private Metric metric(TelemetryRecord observation, Id id, String unit) {
        Metric known = metrics.get(id);
        if (known != null) {
            return known;
        }
        Id own = id;
        if (!rows.take()) {
            own = new Id(id.kind, "other", Map.of());
        }
        boolean wall = observation.wallNanos() != null;
        return metrics.computeIfAbsent(
                own,
                each -> new Metric(
                        wall ? wallGrid : monotonicGrid,
                        wall,
                        each.kind.equals("record") ? new InterpolatedStatistics(KEPT, allowance) : null,
                        cut(unit)));
    }

    @Override
    public boolean isEmpty() {
        return metrics.isEmpty();
    }

    @Override
    public MetricSnapshot snapshot(boolean terminal) {
        return new MetricSnapshot(FiniteTree.of(freeze(terminal), terminal));
    }

    Map<String, @Nullable Object> freeze(boolean terminal) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        List<Map.Entry<Id, Metric>> all = new ArrayList<>(metrics.entrySet());
        tree.put("rows", LazyTree.list(all, each -> row(each.getKey(), each.getValue(), terminal)));
        tree.put("records_over_limit", rows.refused());
        if (terminal) {
            tree.put("wall", wallGrid.freeze());
            tree.put("monotonic", monotonicGrid.freeze());
        }
        return tree;
    }

    private static Map<String, @Nullable Object> row(Id id, Metric each, boolean terminal) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("kind", id.kind);
        row.put("name", id.name);
        row.put("labels", new TreeMap<>(id.labels));
        row.put("unit", each.unit);
        InterpolatedStatistics values = each.values;
        if (values != null) {
            row.putAll(each.live.of(values, terminal, values::statistics));
            row.put("percentile_method", values.method());
        } else if (id.kind.equals("count")) {
            row.put("count", each.count);
            row.put("total", each.sum);
        } else {
            row.put("count", each.count);
            row.put("last", each.last);
            row.put("min", each.min);
            row.put("max", each.max);
            row.put("mean", each.sum / each.count);
        }
        if (terminal) {
            row.put("clock", each.wall ? "wall" : "monotonic");
            row.put("values", id.kind.equals("count") ? each.column.sums() : each.column.means());
        }
        return row;
    }
}
