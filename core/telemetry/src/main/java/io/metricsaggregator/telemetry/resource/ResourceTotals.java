package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.telemetry.NodeResources;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums over the samples of a node, which are taken in the order of their time. A copy takes the samples that still wait for older ones, so that a snapshot shows all of them. Belongs
 * to the thread that applies events.
 */
final class ResourceTotals {
    private static final int CORES_SHOWN = 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double DAY_SECONDS = 86_400;
    private static final double HOUR_SECONDS = 3600;
    private static final int[] THRESHOLDS = {20, 40, 80, 100};

    private final InterpolatedStatistics averages;
    private @Nullable ResourceSample last;
    private long firstNanos;
    private long jumps;
    private double cpuSeconds;
    private double usedSeconds;
    private Weighted gap = new Weighted();
    private Weighted average = new Weighted();
    private Weighted lowest = new Weighted();
    private Weighted highest = new Weighted();
    private Weighted memory = new Weighted();
    private Weighted disk = new Weighted();
    private double[] overSeconds = new double[THRESHOLDS.length];
    private long[] job = new long[ResourceCounter.values().length];
    private long[] resets = new long[ResourceCounter.values().length];
    private long[] previous = new long[ResourceCounter.values().length];
    private final List<Weighted> cores = new ArrayList<>();
    private final Map<String, Weighted> gauges = new LinkedHashMap<>();

    /**
     * Sums over no sample.
     *
     * @param averages the averages of all samples in any order: the node adds them, copies share them
     */
    ResourceTotals(InterpolatedStatistics averages) {
        this.averages = averages;
        Arrays.fill(previous, -1);
    }

    ResourceTotals copy() {
        ResourceTotals copy = new ResourceTotals(averages);
        copy.last = last;
        copy.firstNanos = firstNanos;
        copy.jumps = jumps;
        copy.cpuSeconds = cpuSeconds;
        copy.usedSeconds = usedSeconds;
        copy.gap = gap.copy();
        copy.average = average.copy();
        copy.lowest = lowest.copy();
        copy.highest = highest.copy();
        copy.memory = memory.copy();
        copy.disk = disk.copy();
        copy.overSeconds = overSeconds.clone();
        copy.job = job.clone();
        copy.resets = resets.clone();
        copy.previous = previous.clone();
        cores.forEach(each -> copy.cores.add(each.copy()));
        gauges.forEach((name, each) -> copy.gauges.put(name, each.copy()));
        return copy;
    }

    InterpolatedStatistics averages() {
        return averages;
    }

    /** The newest sample taken; null before the first. */
    @Nullable
    ResourceSample last() {
        return last;
    }

    /** Takes a sample that is not older than the last one. */
    void take(ResourceSample sample) {
        ResourceSample before = last;
        double since =
                before == null ? 0 : TimestampMath.saturatedBetween(before.nanos(), sample.nanos()) / NANOS_PER_SECOND;
        boolean jumped = since > DAY_SECONDS;
        jumps += jumped ? 1 : 0;
        // A jump of a day or more means that the clock was set: the sample stands for its own interval.
        double weight = before == null || jumped ? sample.intervalSeconds() : since;
        if (before == null) {
            firstNanos = sample.nanos();
        } else {
            gap.add(weight, 1);
        }
        cpuSeconds += weight * sample.cpus();
        usedSeconds += weight * sample.cpus() * sample.average() / 100;
        average.add(sample.average(), weight);
        lowest.add(sample.lowest(), weight);
        highest.add(sample.highest(), weight);
        memory.add(sample.memory(), weight);
        disk.add(sample.disk(), weight);
        for (int i = 0; i < THRESHOLDS.length; i++) {
            overSeconds[i] += sample.average() >= THRESHOLDS[i] ? weight : 0;
        }
        count(sample, rebooted(before, sample));
        List<Double> perCore = sample.perCore();
        for (int i = 0; i < Math.min(CORES_SHOWN, perCore.size()); i++) {
            if (i == cores.size()) {
                cores.add(new Weighted());
            }
            cores.get(i).add(perCore.get(i), weight);
        }
        sample.gauges()
                .forEach((name, value) ->
                        gauges.computeIfAbsent(name, each -> new Weighted()).add(value, weight));
        last = sample;
    }

    /** Whether a sample is of another boot than its predecessor. A node that does not report its boot id has not rebooted. */
    private static boolean rebooted(@Nullable ResourceSample before, ResourceSample after) {
        return before != null
                && !before.boot().isEmpty()
                && !after.boot().isEmpty()
                && !before.boot().equals(after.boot());
    }

    private void count(ResourceSample sample, boolean rebooted) {
        for (int i = 0; i < job.length; i++) {
            long counter = sample.counters().get(i);
            if (counter < 0) {
                continue;
            }
            if (previous[i] >= 0) {
                boolean reset = rebooted || counter < previous[i];
                resets[i] += reset ? 1 : 0;
                job[i] = TimestampMath.saturatedAdd(job[i], reset ? counter : counter - previous[i]);
            }
            previous[i] = counter;
        }
    }

    /** The time that the samples taken so far cover. At least one has been taken. */
    NodeResources.Observed observed() {
        ResourceSample newest = last;
        return new NodeResources.Observed(
                average.seconds(), firstNanos, newest == null ? firstNanos : newest.nanos(), gap.max(), jumps);
    }

    /**
     * The CPU use over the run.
     *
     * @param statistics of the samples' averages
     */
    NodeResources.CpuUse cpu(ValueStatistics statistics) {
        return new NodeResources.CpuUse(
                average.mean(),
                statistics,
                overPercent(0),
                overPercent(1),
                overPercent(2),
                overPercent(3),
                average.max(),
                lowest.max(),
                highest.max(),
                cpuSeconds / HOUR_SECONDS,
                usedSeconds / HOUR_SECONDS,
                cpuSeconds / HOUR_SECONDS - usedSeconds / HOUR_SECONDS);
    }

    private @Nullable Double overPercent(int threshold) {
        return average.seconds() == 0 ? null : (Double) (100 * overSeconds[threshold] / average.seconds());
    }

    Weighted memory() {
        return memory;
    }

    Weighted disk() {
        return disk;
    }

    /** Growth of the counters that were reported. */
    Map<ResourceCounter, NodeResources.Growth> grown() {
        Map<ResourceCounter, NodeResources.Growth> grown = new EnumMap<>(ResourceCounter.class);
        for (ResourceCounter each : ResourceCounter.values()) {
            int i = each.ordinal();
            if (previous[i] >= 0) {
                grown.put(each, new NodeResources.Growth(job[i], resets[i]));
            }
        }
        return grown;
    }

    List<NodeResources.Core> cores() {
        return cores.stream()
                .map(each -> new NodeResources.Core(each.mean(), each.max()))
                .toList();
    }

    Map<String, NodeResources.Gauge> gauges() {
        Map<String, NodeResources.Gauge> values = new LinkedHashMap<>();
        gauges.forEach((name, each) -> values.put(name, new NodeResources.Gauge(each.mean(), each.max(), each.last())));
        return values;
    }
}
