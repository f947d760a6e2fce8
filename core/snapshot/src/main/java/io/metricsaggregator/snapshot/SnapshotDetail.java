package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of a snapshot is written or sent, from everything down to a few kilobytes. Each step leaves out more than the one before;
 * the copy lists the missing parts in {@link Completeness#leftOut()}.
 */
public enum SnapshotDetail {
    /** The whole snapshot. */
    ALL(List.of()),
    /** Without rows by key, model or window: {@code operation.by_key}, {@code operation.compat}, {@code scrape.compat}. */
    WITHOUT_KEYS(List.of("operation.by_key", "operation.compat", "scrape.compat", "scrape.windows")),
    /** As {@link #WITHOUT_KEYS}, and without series over time and operations by source. */
    WITHOUT_TIMELINES(List.of(
            "scrape.table", "resource.timeline", "resource.thinning", "metric.rows.values", "operation.by_source")),
    /** Only counters, percentiles and the identity of the run. */
    FIGURES(List.of());

    @SuppressWarnings("ImmutableEnumChecker") // lists of List.of
    private final List<String> paths;

    SnapshotDetail(List<String> paths) {
        this.paths = paths;
    }

    /** Returns the snapshot in this detail. The parts that stay are shared, not copied. */
    public MetricsSnapshot of(MetricsSnapshot whole) {
        SnapshotExtensions extensions = whole.extensions();
        if (this == ALL || extensions.isNone()) {
            return whole;
        }
        return new MetricsSnapshot(
                whole.counter(),
                whole.timestampNanos(),
                whole.state(),
                whole.pendingTasks(),
                whole.metrics(),
                this == FIGURES ? figures(extensions) : reduced(extensions));
    }

    private SnapshotExtensions reduced(SnapshotExtensions from) {
        List<String> leftOut = new ArrayList<>(from.completeness().leftOut());
        Map<String, Object> telemetry = new LinkedHashMap<>(from.telemetry().tree());
        for (SnapshotDetail step : values()) {
            if (step.compareTo(this) <= 0) {
                step.paths.forEach(path -> leaveOut(path, telemetry, leftOut));
            }
        }
        return from.toBuilder()
                .telemetry(TelemetrySnapshots.of(telemetry))
                .completeness(new Completeness(from.completeness().limits(), leftOut))
                .build();
    }

    private static SnapshotExtensions figures(SnapshotExtensions from) {
        return from.toBuilder()
                .rates(List.of())
                .workers(List.of())
                .errors(List.of())
                .slices(empty(from.slices()))
                .slowest(List.of())
                .telemetry(TelemetrySnapshots.NONE)
                .optional(withoutDevices(from.optional()))
                .completeness(new Completeness(
                        from.completeness().limits(),
                        List.of("rates", "workers", "errors", "slices", "slowest", "observations")))
                .build();
    }

    private static OptionalFigures withoutDevices(OptionalFigures from) {
        return from.energy() == null ? from : from.withEnergy(from.energy().withoutDevices());
    }

    private static Slices empty(Slices from) {
        return new Slices(from.startNanos(), from.widthNanos(), from.outside(), List.of());
    }

    /** Leaves out {@code kind.part}, or {@code kind.list.part} of each row of a list. */
    private static void leaveOut(String path, Map<String, Object> telemetry, List<String> leftOut) {
        String[] names = path.split("\\.", -1);
        if (!(telemetry.get(names[0]) instanceof Map<?, ?> kind) || !kind.containsKey(names[1])) {
            return;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        kind.forEach((name, value) -> {
            if (!names[1].equals(name)) {
                copy.put(String.valueOf(name), value);
            } else if (names.length > 2 && value instanceof List<?> rows) {
                copy.put(names[1], LazyTree.list(rows, row -> without(names[2], row)));
            }
        });
        telemetry.put(names[0], copy);
        leftOut.add("observations." + path);
    }

    private static @Nullable Object without(String part, @Nullable Object row) {
        if (!(row instanceof Map<?, ?> map)) {
            return row;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (!part.equals(name)) {
                copy.put(String.valueOf(name), value);
            }
        });
        return copy;
    }
}
