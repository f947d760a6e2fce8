package io.metricsaggregator.telemetry.metric;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.telemetry.fold.Allowance;
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
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Folds custom metrics by name and label set: {@code metric.count} adds to a total, {@code metric.gauge} sets the current value, {@code metric.record} adds
 * a value to a distribution. A series beyond the limit shares the row {@code other} of its kind, and its records are counted. Belongs to the thread that
 * applies events.
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

    /** A fold without records and without a limit of memory. */
    public MetricFold() {
        this(TelemetryLimits.ample(), Allowance.unlimited());
    }

    /** A fold without records, within limits of rows and bytes. */
    public MetricFold(TelemetryLimits limits, Allowance allowance) {
        this.rows = new RowBudget(limits.metricSeries(), TelemetryLimits.METRIC_BYTES, allowance);
        this.allowance = allowance;
    }

    private record Id(MetricSnapshot.RowKind kind, String name, Map<String, String> labels) {}

    /** What the records of one series add up to. */
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

        void take(double value, long at, String reportedUnit) {
            sum += value;
            count++;
            min = Double.isNaN(min) ? value : Math.min(min, value);
            max = Double.isNaN(max) ? value : Math.max(max, value);
            if (at >= lastAt) {
                lastAt = at;
                last = value;
            }
            if (unit.isEmpty()) {
                unit = reportedUnit;
            }
            if (values != null) {
                values.add(value);
            }
            column.record(at, value, 1);
        }
    }

    @Override
    public List<String> categories() {
        return List.of("metric");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        MetricSnapshot.RowKind kind = switch (observation.action()) {
            case "count" -> MetricSnapshot.RowKind.COUNT;
            case "gauge" -> MetricSnapshot.RowKind.GAUGE;
            case "record" -> MetricSnapshot.RowKind.RECORD;
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        };
        String name = observation.text("name");
        if (name == null || name.isEmpty() || name.length() > TelemetryRecord.NAME_MAX_CHARS) {
            throw new TelemetryRecord.Rejected(name == null ? "missing_name" : "invalid_name");
        }
        boolean counts = kind == MetricSnapshot.RowKind.COUNT;
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
                        each.kind == MetricSnapshot.RowKind.RECORD ? new InterpolatedStatistics(KEPT, allowance) : null,
                        cut(unit)));
    }

    @Override
    public boolean isEmpty() {
        return metrics.isEmpty();
    }

    @Override
    public MetricSnapshot snapshot(boolean terminal) {
        List<Map.Entry<Id, Metric>> all = new ArrayList<>(metrics.entrySet());
        return new MetricSnapshot(
                terminal
                        ? LazyTree.list(all, each -> row(each.getKey(), each.getValue(), true))
                        : all.stream()
                                .map(each -> row(each.getKey(), each.getValue(), false))
                                .toList(),
                rows.refused(),
                terminal ? wallGrid.timeBuckets() : null,
                terminal ? monotonicGrid.timeBuckets() : null);
    }

    private static MetricSnapshot.Row row(Id id, Metric each, boolean terminal) {
        return new MetricSnapshot.Row(
                id.kind, id.name, id.labels, each.unit, figures(id.kind, each, terminal), timeline(id, each, terminal));
    }

    private static MetricSnapshot.Figures figures(MetricSnapshot.RowKind kind, Metric each, boolean terminal) {
        return switch (kind) {
            case COUNT -> new MetricSnapshot.Total(each.count, each.sum);
            case GAUGE -> new MetricSnapshot.Gauge(each.count, each.last, each.min, each.max, each.sum / each.count);
            case RECORD -> {
                InterpolatedStatistics values = Objects.requireNonNull(each.values, "values of metric.record");
                yield new MetricSnapshot.Distribution(each.live.of(values, terminal), values.method());
            }
        };
    }

    private static MetricSnapshot.@Nullable Timeline timeline(Id id, Metric each, boolean terminal) {
        return !terminal
                ? null
                : new MetricSnapshot.Timeline(
                        each.wall ? SampleClock.WALL : SampleClock.MONOTONIC,
                        id.kind == MetricSnapshot.RowKind.COUNT ? each.column.sums() : each.column.means());
    }
}
