package io.metricsaggregator.parts;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistrySum;
import io.metricsaggregator.registry.SlabStore;
import io.metricsaggregator.snapshot.Conversations;
import io.metricsaggregator.snapshot.LabelBreakdown;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.Progress;
import io.metricsaggregator.snapshot.ReportedUsage;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.TimeSpan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up what several folds of one run have, in this process: the sum has what one fold of all samples would have. Used by one thread. */
public final class FoldSum {
    private FoldSum() {}

    /**
     * Adds up parts with samples by label and reported usage.
     *
     * @param parts at least one
     */
    public static FoldPart of(List<FoldPart> parts) {
        FoldPart sum = parts.get(0);
        for (FoldPart each : parts.subList(1, parts.size())) {
            sum = sum.add(each);
        }
        return sum;
    }

    /**
     * Adds up the registries of the folds.
     *
     * @param samples what else the folds have in sum
     * @param values keeps values that are not shared; null for none
     */
    public static Registry registry(List<Registry> folds, FoldPart samples, @Nullable SlabStore values) {
        Registry sum = RegistrySum.of(folds, values == null ? new RawBudget(0) : values);
        derive(sum, samples);
        return sum;
    }

    /** Sets the counters that follow from other state of a sum. */
    static void derive(Registry registry, FoldPart samples) {
        registry.set(CounterName.TRACKED_DURATION_NS, samples.windows().trackedNanos());
        registry.set(
                CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS, samples.windows().loadgenNanos());
        registry.set(CounterName.SUCCEEDED_DURATION_NS, samples.windows().succeededNanos());
        registry.set(CounterName.VALUES_CLAMPED, registry.clamped());
        PartitionPart partition = samples.partition();
        if (partition != null && partition.usage() != null) {
            registry.set(
                    CounterName.USAGE_MISSING,
                    registry.value(CounterName.TRACKED_SAMPLES_SUCCEEDED)
                            - partition.usage().reported()
                            + partition.usage().failed());
        }
    }

    /**
     * The figures from optional keys of a sum.
     *
     * @param mismatches how reported lengths differ from counted ones
     */
    public static OptionalFigures optional(
            FoldPart sum,
            List<ReportedUsage.Mismatch> mismatches,
            @Nullable Conversations conversations,
            @Nullable Progress progress) {
        PartitionPart partition = sum.partition();
        ReportedUsage usage = partition == null ? null : partition.usage();
        LabelBreakdown labels = partition == null ? null : partition.labels().breakdown();
        return usage == null
                        && labels == null
                        && conversations == null
                        && sum.interactivity() == null
                        && progress == null
                ? OptionalFigures.NONE
                : new OptionalFigures(
                        usage == null ? null : usage.withMismatches(mismatches),
                        null,
                        labels,
                        null,
                        conversations,
                        sum.interactivity(),
                        progress);
    }

    /** The tracked windows with a completion, each to the last one among its samples. */
    public static List<TimeSpan> trackedSpans(FoldPart sum) {
        return sum.windows().windows().stream()
                .filter(each ->
                        each.startNanos() != null && each.lastNanos() != null && each.lastNanos() >= each.startNanos())
                .map(each -> new TimeSpan(each.startNanos(), each.lastNanos()))
                .toList();
    }

    /** A sum as the part of a run that was folded as a whole. */
    public static FoldPart whole(FoldPart sum, SnapshotExtensions.InFlight inFlight) {
        PartitionPart partition = sum.partition();
        return new FoldPart(
                sum.slices(),
                sum.windows(),
                sum.slow(),
                inFlight,
                sum.goodput(),
                sum.interactivity(),
                partition == null ? sum.labels() : partition.labels(),
                null);
    }
}
