package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.telemetry.NodeResources;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import io.metricsaggregator.telemetry.statistics.LiveStatistics;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node over the run. Each sample stands for the time since its predecessor (the first for its own interval), so that means stay right when a producer slows down or loses
 * samples. Up to {@link #WAITING_MAX} samples wait for older ones; a sample that is older than a settled one is rejected. Belongs to the thread that applies events.
 */
final class ResourceNode {
    static final int WAITING_MAX = 64;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<ResourceCounter> PLOTTED = List.of(
            ResourceCounter.DISK_READ,
            ResourceCounter.DISK_WRITE,
            ResourceCounter.NET_EXT_SENT,
            ResourceCounter.NET_EXT_RECEIVED);

    private final List<ResourceSample> waiting = new ArrayList<>();
    private final ResourceTotals settled;
    private final LiveStatistics live = new LiveStatistics();
    private final Thinning thinning;
    private final Timeline timeline;
    private long samples;
    private @Nullable ResourceSample newest;

    /** Columns of the node's timeline. */
    private record Timeline(
            TimeGrid grid, TimeGrid.Column cpu, TimeGrid.Column memory, Map<ResourceCounter, TimeGrid.Column> grown) {}

    /**
     * A node without samples.
     *
     * @param grid the buckets of its timeline, shared by the nodes of one clock
     * @param reportsMax most reports that lightgbm-benchmark's collector would keep
     * @param reports the reports of all nodes that may be kept
     * @param allowance memory for samples
     */
    ResourceNode(TimeGrid grid, int reportsMax, RowBudget reports, Allowance allowance) {
        settled = new ResourceTotals(new InterpolatedStatistics(InterpolatedStatistics.KEPT_MAX, allowance));
        thinning = new Thinning(reportsMax, reports);
        Map<ResourceCounter, TimeGrid.Column> grown = new EnumMap<>(ResourceCounter.class);
        PLOTTED.forEach(each -> grown.put(each, grid.column()));
        timeline = new Timeline(grid, grid.columnWithExtremes(), grid.columnWithExtremes(), grown);
    }

    /** Takes a sample; false if it is older than a settled one. */
    boolean add(ResourceSample sample) {
        ResourceSample last = settled.last();
        if (last != null && sample.nanos() < last.nanos()) {
            return false;
        }
        int at = waiting.size();
        while (at > 0 && waiting.get(at - 1).nanos() > sample.nanos()) {
            at--;
        }
        waiting.add(at, sample);
        if (waiting.size() > WAITING_MAX) {
            settled.take(waiting.remove(0));
        }
        samples++;
        settled.averages().add(sample.average());
        thinning.add(sample);
        onTimeline(sample);
        return true;
    }

    private void onTimeline(ResourceSample sample) {
        ResourceSample before = newest;
        long at = sample.nanos();
        double weight = before == null
                ? sample.intervalSeconds()
                : Math.max(0, TimestampMath.saturatedBetween(before.nanos(), at) / NANOS_PER_SECOND);
        timeline.cpu.record(at, sample.average(), weight);
        if (!Double.isNaN(sample.memory())) {
            timeline.memory.record(at, sample.memory(), weight);
        }
        if (before != null && at > before.nanos()) {
            timeline.grown.forEach((counter, column) -> grown(column, before, sample, counter));
        }
        if (before == null || at > before.nanos()) {
            newest = sample;
        }
    }

    private static void grown(
            TimeGrid.Column column, ResourceSample before, ResourceSample after, ResourceCounter counter) {
        long then = before.counters().get(counter.ordinal());
        long now = after.counters().get(counter.ordinal());
        if (then >= 0 && now >= 0) {
            // A bucket shows the sum of its increments, so each counts once.
            column.record(after.nanos(), (double) (now < then ? now : now - then), 1);
        }
    }

    /** The reports as lightgbm-benchmark's collector would keep them. */
    Thinning thinning() {
        return thinning;
    }

    /** The newest sample; null before the first. */
    @Nullable
    ResourceSample newest() {
        return newest;
    }

    /**
     * The node over the run, waiting samples included.
     *
     * @param exact whether statistics must cover all samples; otherwise they may lag behind by an eighth
     */
    NodeResources resources(boolean exact) {
        ResourceTotals all = settled.copy();
        waiting.forEach(all::take);
        ResourceSample now = newest;
        return new NodeResources(
                samples,
                all.observed(),
                all.cpu(live.of(all.averages(), exact)),
                all.memory().max(),
                all.memory().mean(),
                all.disk().max(),
                all.grown(),
                all.cores(),
                all.gauges(),
                now == null ? null : (Double) now.average(),
                now == null || Double.isNaN(now.memory()) ? null : (Double) now.memory());
    }

    ResourceSnapshot.NodeTimeline timeline(SampleClock clock) {
        Map<ResourceCounter, List<@Nullable Double>> grown = new EnumMap<>(ResourceCounter.class);
        timeline.grown.forEach((counter, column) -> grown.put(counter, column.sums()));
        return new ResourceSnapshot.NodeTimeline(
                timeline.grid.timeBuckets(), timeline.cpu.gauge(), timeline.memory.gauge(), grown, clock);
    }
}
