package io.metricsaggregator.parts;

import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistrySum;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of several runs add to the merge of their snapshots: series with the percentiles of all values, and percentiles by time slice. Snapshots
 * themselves are merged elsewhere:
 *
 * <pre>{@code
 * PartMerge exact = new PartMerge(parts, store);
 * MetricsSnapshot merged = exact.complete(SnapshotMerge.merge(exact.snapshots()), Workers.NONE);
 * }</pre>
 *
 * <p>Used by one thread.
 */
public final class PartMerge {
    private final List<RunPart> parts;
    private final SlabStore values;

    /**
     * A merge of runs.
     *
     * @param parts whole parts of different runs, at least one
     * @param values keeps the values that the sum does not share with the parts
     */
    public PartMerge(List<RunPart> parts, SlabStore values) {
        this.parts = List.copyOf(parts);
        this.values = values;
    }

    /** The snapshot of each run; its percentiles come from histograms, because {@link #complete} replaces those of the merged run. */
    public List<MetricsSnapshot> snapshots() {
        return parts.stream()
                .map(each -> each.snapshot(Workers.NONE, () -> true))
                .toList();
    }

    /**
     * Replaces the series of merged snapshots by those of all values together, and adds the percentiles by time slice where the merge kept time slices.
     *
     * @param merged the merge of {@link #snapshots}
     * @param workers scan the values together
     */
    public MetricsSnapshot complete(MetricsSnapshot merged, Workers workers) {
        Registry sum = RegistrySum.of(parts.stream().map(RunPart::registry).toList(), values);
        Map<String, Metric> metrics = new LinkedHashMap<>();
        merged.metrics().forEach(each -> metrics.put(each.name(), each));
        for (SeriesMetric each : Metric.series(sum.renderExact(sum.newCopy(), false, workers, () -> false))) {
            metrics.put(each.name(), each);
        }
        SnapshotExtensions extensions = merged.extensions();
        return new MetricsSnapshot(
                merged.counter(),
                merged.timestampNanos(),
                merged.state(),
                merged.pendingTasks(),
                List.copyOf(metrics.values()),
                extensions.isNone()
                        ? extensions
                        : with(extensions, slices(extensions.slices()))
                                .withOptional(extensions
                                        .optional()
                                        .withLabels(labels(extensions.optional().labels()))));
    }

    private static SnapshotExtensions with(SnapshotExtensions of, Slices slices) {
        return of.toBuilder().slices(slices).build();
    }

    /** The merged labels with the percentiles of the summed histograms. */
    private @Nullable LabelBreakdown labels(@Nullable LabelBreakdown merged) {
        if (merged == null) {
            return null;
        }
        List<LabelBreakdown.Key> keys = new ArrayList<>();
        for (LabelBreakdown.Key key : merged.keys()) {
            List<LabelBreakdown.Value> values = new ArrayList<>();
            for (LabelBreakdown.Value value : key.values()) {
                LabelSums sum = LabelSums.ZERO;
                for (RunPart each : parts) {
                    LabelSums own = each.samples().knownLabels().of(key.name(), value.value());
                    sum = own == null ? sum : sum.add(own);
                }
                // Percentiles of some of the runs are not those of all.
                values.add(sum.completed() == value.completed() ? sum.complete(value) : value);
            }
            keys.add(new LabelBreakdown.Key(key.name(), values));
        }
        return new LabelBreakdown(keys);
    }

    /** The merged slices with the percentiles of the summed histograms. */
    private Slices slices(Slices merged) {
        SlicesPart sum = SlicesPart.NONE;
        for (RunPart each : parts) {
            sum = sum.add(each.samples().slices().fromZero());
        }
        Slices exact = sum.slices();
        if (merged.length() == 0 || merged.length() != exact.length() || merged.widthNanos() != exact.widthNanos()) {
            return merged;
        }
        List<Slices.Column> columns = new ArrayList<>();
        for (Slices.Column each : merged.columns()) {
            long[] durations = each.name().endsWith("_ns") ? exact.column(each.name()) : null;
            columns.add(durations == null ? each : new Slices.Column(each.name(), durations));
        }
        return new Slices(merged.startNanos(), merged.widthNanos(), merged.outside(), columns);
    }
}
