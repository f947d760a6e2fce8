package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import io.metricsaggregator.telemetry.statistics.LiveStatistics;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node over the run. Each sample stands for the time since the one before it (the first for its own interval), so that a producer may
 * slow down, or lose samples, without bending a mean. Samples may come out of order by as many as {@link #WAITING_MAX}; what is older than
 * that is rejected.
 */
final class ResourceNode {
    static final int WAITING_MAX = 64;
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<ResourceSample> waiting = new ArrayList<>();
    private final ResourceTotals settled;
    private final LiveStatistics live = new LiveStatistics();
    private final Thinning thinning;
    private final Timeline timeline;
    private long samples;
    private @Nullable ResourceSample newest;

    /** For plots. */
    private record Timeline(
            TimeGrid grid,
            TimeGrid.Column cpu,
            TimeGrid.Column memory,
            TimeGrid.Column read,
            TimeGrid.Column written,
            TimeGrid.Column sent,
            TimeGrid.Column received) {}

    /**
     * A node.
     *
     * @param grid of the timelines
     * @param reportsMax what the original would keep
     * @param reports of all nodes that may be kept
     * @param allowance memory for samples
     */
    ResourceNode(TimeGrid grid, int reportsMax, RowBudget reports, Allowance allowance) {
        settled = new ResourceTotals(new InterpolatedStatistics(InterpolatedStatistics.KEPT_MAX, allowance));
        thinning = new Thinning(reportsMax, reports);
        timeline = new Timeline(
                grid,
                grid.columnWithExtremes(),
                grid.columnWithExtremes(),
                grid.column(),
                grid.column(),
                grid.column(),
                grid.column());
    }

    private static @Nullable Double orNull(double value) {
        return Double.isNaN(value) ? null : value;
    }

    /** False if it is older than what is settled. */
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
            grown(timeline.read, before, sample, 0);
            grown(timeline.written, before, sample, 1);
            grown(timeline.sent, before, sample, 3);
            grown(timeline.received, before, sample, 5);
        }
        if (before == null || at > before.nanos()) {
            newest = sample;
        }
    }

    private static void grown(TimeGrid.Column column, ResourceSample before, ResourceSample after, int counter) {
        long then = before.counters().get(counter);
        long now = after.counters().get(counter);
        if (then >= 0 && now >= 0) {
            // Sums of a bucket are wanted: each increment counts once.
            column.record(after.nanos(), (double) (now < then ? now : now - then), 1);
        }
    }

    /** As the original thins its reports. */
    Thinning thinning() {
        return thinning;
    }

    /** Its last sample. */
    @Nullable
    ResourceSample newest() {
        return newest;
    }

    /**
     * What is known.
     *
     * @param exact whether statistics must be of all samples
     */
    Map<String, @Nullable Object> freeze(boolean exact) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_samples", samples);
        ResourceTotals all = settled.copy();
        waiting.forEach(all::take);
        all.freeze(tree, live.of(all.averages(), exact, all.averages()::statistics));
        ResourceSample now = newest;
        if (now != null) {
            tree.put("now_cpu_pct", now.average());
            tree.put("now_mem_pct", orNull(now.memory()));
        }
        return tree;
    }

    Map<String, @Nullable Object> timeline() {
        Map<String, @Nullable Object> tree = timeline.grid.freeze();
        tree.put("cpu_pct", timeline.cpu.gauge());
        tree.put("mem_pct", timeline.memory.gauge());
        tree.put("disk_read_bytes", timeline.read.sums());
        tree.put("disk_write_bytes", timeline.written.sums());
        tree.put("net_ext_sent_bytes", timeline.sent.sums());
        tree.put("net_ext_recv_bytes", timeline.received.sums());
        return tree;
    }
}
