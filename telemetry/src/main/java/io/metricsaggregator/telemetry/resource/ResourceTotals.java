package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the samples of a node come to, taken in the order of their time. A copy goes on by itself, to look at what samples that still wait
 * would make of it. Thread: the one that folds.
 */
final class ResourceTotals {
    private static final int CORES_SHOWN = 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double DAY_SECONDS = 86_400;
    private static final double HOUR_SECONDS = 3600;
    private static final double MIB = 1 << 20;
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
    private long[] job = new long[ResourceSample.COUNTERS.size()];
    private long[] resets = new long[ResourceSample.COUNTERS.size()];
    private long[] previous = new long[ResourceSample.COUNTERS.size()];
    private final List<Weighted> cores = new ArrayList<>();
    private final Map<String, Weighted> gauges = new LinkedHashMap<>();

    /**
     * Nothing yet.
     *
     * @param averages of all samples in any order: whoever adds a sample records it there; copies share it
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

    /** The sample that was taken last. */
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
        // A clock that jumped by a day or more was set: the sample stands for its own interval.
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

    /** A node that does not tell its boot has not booted. */
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

    /**
     * What is known.
     *
     * @param tree where to put it
     * @param series the averages' statistics
     */
    void freeze(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> series) {
        tree.put("observed_s", average.seconds());
        tree.put("first_ns", firstNanos);
        tree.put("last_ns", last == null ? null : last.nanos());
        tree.put("cpu_avg_pct", average.mean());
        tree.put("cpu_avg_pct_series", series);
        for (int i = 0; i < THRESHOLDS.length; i++) {
            String name = THRESHOLDS[i] == 100 ? "cpu_at100_pct" : "cpu_over" + THRESHOLDS[i] + "_pct";
            tree.put(name, average.seconds() == 0 ? null : 100 * overSeconds[i] / average.seconds());
        }
        tree.put("cpu_max_of_avg_pct", average.max());
        tree.put("cpu_max_of_min_pct", lowest.max());
        tree.put("cpu_max_of_max_pct", highest.max());
        tree.put("mem_max_pct", memory.max());
        tree.put("mem_avg_pct", memory.mean());
        tree.put("disk_usage_max_pct", disk.max());
        tree.put("node_cpu_hours", cpuSeconds / HOUR_SECONDS);
        tree.put("node_used_cpu_hours", usedSeconds / HOUR_SECONDS);
        tree.put("node_unused_cpu_hours", cpuSeconds / HOUR_SECONDS - usedSeconds / HOUR_SECONDS);
        tree.put("max_gap_s", gap.max());
        tree.put("clock_jumps", jumps);
        for (int i = 0; i < job.length; i++) {
            if (previous[i] >= 0) {
                String name = ResourceSample.COUNTERS.get(i);
                tree.put("job_" + name, job[i]);
                tree.put("job_" + name.replace("_bytes", "_mib"), job[i] / MIB);
                if (resets[i] > 0) {
                    tree.put("resets_" + name, resets[i]);
                }
            }
        }
        if (!cores.isEmpty()) {
            tree.put("core_avg_pct", cores.stream().map(Weighted::mean).toList());
            tree.put("core_max_pct", cores.stream().map(Weighted::max).toList());
        }
        gauges.forEach((name, known) -> {
            Map<String, @Nullable Object> gauge = new LinkedHashMap<>();
            gauge.put("mean", known.mean());
            gauge.put("max", known.max());
            gauge.put("last", known.last());
            tree.put(name, gauge);
        });
    }
}
