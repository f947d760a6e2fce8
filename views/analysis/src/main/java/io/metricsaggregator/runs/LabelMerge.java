package io.metricsaggregator.runs;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.fields.Adder;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Adds up the samples by label of several runs. Distributions cannot be added up from percentiles and are left out. */
final class LabelMerge {
    private final Adder adder;
    private final KeptLabels kept;

    LabelMerge(SaturatingSums sums, KeptLabels kept) {
        this.adder = sums.adder("samples by label", false);
        this.kept = kept;
    }

    /**
     * The sums of all runs, bounded as those of one; null if no run has labels. The samples of a run without a key do not have it.
     *
     * @param parts the snapshots with these extensions
     */
    @Nullable
    LabelBreakdown ofRuns(List<SnapshotExtensions> all, List<MetricsSnapshot> parts) {
        List<LabelBreakdown.Value> totals =
                parts.stream().map(LabelMerge::total).toList();
        return merge(all, i -> totals.get(i));
    }

    /**
     * The sums as {@link #ofRuns} has them.
     *
     * @param totals all tracked samples of a run, by its place in the list; null if its labels are unknown: then its samples are in no row
     */
    @Nullable
    LabelBreakdown merge(List<SnapshotExtensions> all, IntFunction<LabelBreakdown.@Nullable Value> totals) {
        kept.start();
        Map<String, Map<String, LabelBreakdown.Value>> keys = new LinkedHashMap<>();
        boolean any = false;
        for (SnapshotExtensions each : all) {
            LabelBreakdown labels = each.optional().labels();
            if (labels != null) {
                any = true;
                labels.keys().forEach(key -> add(key, keys));
            }
        }
        for (int i = 0; i < all.size(); i++) {
            LabelBreakdown labels = all.get(i).optional().labels();
            LabelBreakdown.Value total = total(labels, totals.apply(i));
            if (total != null && total.issued() > 0) {
                addWithout(total, labels, keys);
            }
        }
        List<LabelBreakdown.Key> merged = new ArrayList<>();
        keys.forEach((name, values) -> merged.add(new LabelBreakdown.Key(name, ordered(values))));
        return any ? new LabelBreakdown(merged) : null;
    }

    /** All tracked samples of a run as a row of a label. */
    static LabelBreakdown.Value total(MetricsSnapshot part) {
        long inputs = 0;
        for (SeriesMetric each : Metric.series(part.metrics())) {
            inputs += each.name().equals(SeriesName.ISL.wire()) ? each.total().longValue() : 0;
        }
        return total(part::counter, inputs, Objects.requireNonNull(part.extensions()));
    }

    static LabelBreakdown.Value total(
            ToLongFunction<CounterName> counters, long inputs, SnapshotExtensions extensions) {
        Interactivity outputs = extensions.optional().interactivity();
        Goodput goodput = extensions.goodput();
        long completed = counters.applyAsLong(CounterName.TRACKED_SAMPLES_COMPLETED);
        return new LabelBreakdown.Value(
                LabelBreakdown.NONE,
                counters.applyAsLong(CounterName.TRACKED_SAMPLES_ISSUED),
                completed,
                // In flight after an error, a sample has not failed yet.
                completed - counters.applyAsLong(CounterName.TRACKED_SAMPLES_SUCCEEDED),
                extensions.inFlight().tracked(),
                inputs,
                outputs == null ? 0 : outputs.tokens(),
                null,
                null,
                null,
                goodput == null ? null : (Long) goodput.good(),
                null);
    }

    /** All tracked samples of a run, each of which has one row of a label; {@code unlabelled} for a run without labels. */
    private LabelBreakdown.@Nullable Value total(
            @Nullable LabelBreakdown labels, LabelBreakdown.@Nullable Value unlabelled) {
        return labels == null
                ? unlabelled
                : labels.keys().stream()
                        .filter(key -> !key.name().equals(LabelBreakdown.WORKER))
                        .findFirst()
                        .flatMap(key -> key.values().stream()
                                .map(value -> counts(LabelBreakdown.NONE, value))
                                .reduce(this::add))
                        .orElse(unlabelled);
    }

    /** Adds the samples of a run to those without the keys that it does not have; what it has of workers is unknown if it has one. */
    private void addWithout(
            LabelBreakdown.Value total,
            @Nullable LabelBreakdown labels,
            Map<String, Map<String, LabelBreakdown.Value>> keys) {
        List<String> own = labels == null
                ? List.of()
                : labels.keys().stream().map(LabelBreakdown.Key::name).toList();
        keys.forEach((name, values) -> {
            if (!own.contains(name) && !name.equals(LabelBreakdown.WORKER)) {
                values.merge(LabelBreakdown.NONE, total, this::add);
            }
        });
    }

    private void add(LabelBreakdown.Key key, Map<String, Map<String, LabelBreakdown.Value>> keys) {
        if (!kept.keeps(key.name())) {
            key.targets().forEach(value -> kept.over(value.issued()));
            return;
        }
        Map<String, LabelBreakdown.Value> values = keys.computeIfAbsent(key.name(), name -> new LinkedHashMap<>());
        for (LabelBreakdown.Value value : key.values()) {
            boolean target =
                    !value.value().equals(LabelBreakdown.NONE) && !value.value().equals(LabelBreakdown.OTHER);
            String row = value.value();
            if (target && !kept.keeps(key.name(), row)) {
                kept.over(value.issued());
                row = LabelBreakdown.OTHER;
            }
            values.merge(row, counts(row, value), this::add);
        }
    }

    /** The values in the order in which they came, then {@code (none)} and {@code other}. */
    private static List<LabelBreakdown.Value> ordered(Map<String, LabelBreakdown.Value> values) {
        List<LabelBreakdown.Value> last = new ArrayList<>();
        for (String each : List.of(LabelBreakdown.NONE, LabelBreakdown.OTHER)) {
            LabelBreakdown.Value value = values.remove(each);
            if (value != null) {
                last.add(value);
            }
        }
        List<LabelBreakdown.Value> ordered = new ArrayList<>(values.values());
        ordered.addAll(last);
        return ordered;
    }

    private LabelBreakdown.Value counts(String row, LabelBreakdown.Value value) {
        return adder.alone(value.renamed(row), LabelBreakdown.Value::pass);
    }

    private LabelBreakdown.Value add(LabelBreakdown.Value a, LabelBreakdown.Value b) {
        return adder.add(a, b, LabelBreakdown.Value::pass);
    }
}
