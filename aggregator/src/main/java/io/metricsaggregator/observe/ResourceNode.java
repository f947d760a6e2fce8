package io.metricsaggregator.observe;

import io.metricsaggregator.fold.Durations;
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
    private static final int CORES_SHOWN = 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double DAY_SECONDS = 86_400;
    private static final double MIB = 1 << 20;
    private static final int[] THRESHOLDS = {20, 40, 80, 100};

    private final List<ResourceSample> waiting = new ArrayList<>();
    private final State state;
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

    /** Sums over samples in the order of their time; a copy goes on with those that wait. */
    private static final class State {
        private long firstNanos;
        private @Nullable ResourceSample last;
        private final Linear averages;
        private double seconds;
        private double cpuSeconds;
        private double usedSeconds;
        private double averageSeconds;
        private final double[] overSeconds = new double[THRESHOLDS.length];
        private double memorySeconds;
        private double memoryWeight;
        private double maxAverage;
        private double maxLowest;
        private double maxHighest;
        private double maxMemory = Double.NaN;
        private double maxDisk = Double.NaN;
        private double maxGap = Double.NaN;
        private long jumps;
        private final long[] job = new long[ResourceSample.COUNTERS.size()];
        private final long[] resets = new long[ResourceSample.COUNTERS.size()];
        private final long[] previous = new long[ResourceSample.COUNTERS.size()];
        private double[] coreSeconds = new double[0];
        private double[] coreMax = new double[0];
        private double coreWeight;
        private final Map<String, double[]> gauges = new LinkedHashMap<>();

        State(Linear averages) {
            this.averages = averages;
            java.util.Arrays.fill(previous, -1);
        }

        State(State from) {
            // Waiting samples are in the averages already: those know no order.
            this(from.averages);
            firstNanos = from.firstNanos;
            last = from.last;
            seconds = from.seconds;
            cpuSeconds = from.cpuSeconds;
            usedSeconds = from.usedSeconds;
            averageSeconds = from.averageSeconds;
            System.arraycopy(from.overSeconds, 0, overSeconds, 0, overSeconds.length);
            memorySeconds = from.memorySeconds;
            memoryWeight = from.memoryWeight;
            maxAverage = from.maxAverage;
            maxLowest = from.maxLowest;
            maxHighest = from.maxHighest;
            maxMemory = from.maxMemory;
            maxDisk = from.maxDisk;
            maxGap = from.maxGap;
            jumps = from.jumps;
            System.arraycopy(from.job, 0, job, 0, job.length);
            System.arraycopy(from.resets, 0, resets, 0, resets.length);
            System.arraycopy(from.previous, 0, previous, 0, previous.length);
            coreSeconds = from.coreSeconds.clone();
            coreMax = from.coreMax.clone();
            coreWeight = from.coreWeight;
            from.gauges.forEach((name, each) -> gauges.put(name, each.clone()));
        }

        void take(ResourceSample sample) {
            ResourceSample before = last;
            double gap =
                    before == null ? 0 : Durations.saturatedBetween(before.nanos(), sample.nanos()) / NANOS_PER_SECOND;
            boolean jumped = gap > DAY_SECONDS;
            jumps += jumped ? 1 : 0;
            // A clock that jumped by a day or more was set: the sample stands for its own interval.
            double weight = before == null || jumped ? sample.intervalSeconds() : gap;
            if (before == null) {
                firstNanos = sample.nanos();
            } else {
                maxGap = Math.max(Double.isNaN(maxGap) ? 0 : maxGap, weight);
            }
            seconds += weight;
            cpuSeconds += weight * sample.cpus();
            usedSeconds += weight * sample.cpus() * sample.average() / 100;
            averageSeconds += weight * sample.average();
            for (int i = 0; i < THRESHOLDS.length; i++) {
                overSeconds[i] += sample.average() >= THRESHOLDS[i] ? weight : 0;
            }
            maxAverage = Math.max(maxAverage, sample.average());
            maxLowest = Math.max(maxLowest, sample.lowest());
            maxHighest = Math.max(maxHighest, sample.highest());
            if (!Double.isNaN(sample.memory())) {
                memorySeconds += weight * sample.memory();
                memoryWeight += weight;
                maxMemory = Double.isNaN(maxMemory) ? sample.memory() : Math.max(maxMemory, sample.memory());
            }
            if (!Double.isNaN(sample.disk())) {
                maxDisk = Double.isNaN(maxDisk) ? sample.disk() : Math.max(maxDisk, sample.disk());
            }
            boolean rebooted = before != null
                    && !before.boot().isEmpty()
                    && !sample.boot().isEmpty()
                    && !before.boot().equals(sample.boot());
            for (int i = 0; i < job.length; i++) {
                long counter = sample.counters().get(i);
                if (counter < 0) {
                    continue;
                }
                if (previous[i] >= 0) {
                    boolean reset = rebooted || counter < previous[i];
                    resets[i] += reset ? 1 : 0;
                    job[i] = Durations.saturatedAdd(job[i], reset ? counter : counter - previous[i]);
                }
                previous[i] = counter;
            }
            cores(sample, weight);
            sample.gauges().forEach((name, value) -> {
                double[] known = gauges.computeIfAbsent(name, each -> new double[4]);
                known[0] += weight * value;
                known[1] += weight;
                known[2] = Math.max(known[2], value);
                known[3] = value;
            });
            last = sample;
        }

        private void cores(ResourceSample sample, double weight) {
            List<Double> cores = sample.perCore();
            if (cores.isEmpty()) {
                return;
            }
            int shown = Math.min(CORES_SHOWN, cores.size());
            if (coreSeconds.length < shown) {
                coreSeconds = java.util.Arrays.copyOf(coreSeconds, shown);
                coreMax = java.util.Arrays.copyOf(coreMax, shown);
            }
            coreWeight += weight;
            for (int i = 0; i < shown; i++) {
                coreSeconds[i] += weight * cores.get(i);
                coreMax[i] = Math.max(coreMax[i], cores.get(i));
            }
        }

        void freeze(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> series) {
            tree.put("observed_s", seconds);
            tree.put("first_ns", firstNanos);
            tree.put("last_ns", last == null ? null : last.nanos());
            tree.put("cpu_avg_pct", ratio(averageSeconds, seconds));
            tree.put("cpu_avg_pct_series", series);
            for (int i = 0; i < THRESHOLDS.length; i++) {
                String name = THRESHOLDS[i] == 100 ? "cpu_at100_pct" : "cpu_over" + THRESHOLDS[i] + "_pct";
                tree.put(name, ratio(100 * overSeconds[i], seconds));
            }
            tree.put("cpu_max_of_avg_pct", maxAverage);
            tree.put("cpu_max_of_min_pct", maxLowest);
            tree.put("cpu_max_of_max_pct", maxHighest);
            tree.put("mem_max_pct", orNull(maxMemory));
            tree.put("mem_avg_pct", ratio(memorySeconds, memoryWeight));
            tree.put("disk_usage_max_pct", orNull(maxDisk));
            tree.put("node_cpu_hours", cpuSeconds / 3600);
            tree.put("node_used_cpu_hours", usedSeconds / 3600);
            tree.put("node_unused_cpu_hours", cpuSeconds / 3600 - usedSeconds / 3600);
            tree.put("max_gap_s", orNull(maxGap));
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
            if (coreWeight > 0) {
                List<Double> means = new ArrayList<>();
                List<Double> highest = new ArrayList<>();
                for (int i = 0; i < coreSeconds.length; i++) {
                    means.add(coreSeconds[i] / coreWeight);
                    highest.add(coreMax[i]);
                }
                tree.put("core_avg_pct", means);
                tree.put("core_max_pct", highest);
            }
            gauges.forEach((name, known) -> {
                Map<String, @Nullable Object> gauge = new LinkedHashMap<>();
                gauge.put("mean", ratio(known[0], known[1]));
                gauge.put("max", known[2]);
                gauge.put("last", known[3]);
                tree.put(name, gauge);
            });
        }
    }

    /**
     * A node.
     *
     * @param grid of the timelines
     * @param reportsMax what the original would keep
     */
    ResourceNode(TimeGrid grid, int reportsMax) {
        state = new State(new Linear());
        thinning = new Thinning(reportsMax);
        timeline = new Timeline(
                grid, grid.column(), grid.column(), grid.column(), grid.column(), grid.column(), grid.column());
    }

    static @Nullable Double ratio(double sum, double weight) {
        return weight == 0 ? null : sum / weight;
    }

    private static @Nullable Double orNull(double value) {
        return Double.isNaN(value) ? null : value;
    }

    /** False if it is older than what is settled. */
    boolean add(ResourceSample sample) {
        ResourceSample settled = state.last;
        if (settled != null && sample.nanos() < settled.nanos()) {
            return false;
        }
        int at = waiting.size();
        while (at > 0 && waiting.get(at - 1).nanos() > sample.nanos()) {
            at--;
        }
        waiting.add(at, sample);
        if (waiting.size() > WAITING_MAX) {
            state.take(waiting.remove(0));
        }
        samples++;
        state.averages.add(sample.average());
        thinning.add(sample);
        onTimeline(sample);
        return true;
    }

    private void onTimeline(ResourceSample sample) {
        ResourceSample before = newest;
        long at = sample.nanos();
        double weight = before == null
                ? sample.intervalSeconds()
                : Math.max(0, Durations.saturatedBetween(before.nanos(), at) / NANOS_PER_SECOND);
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
        State all = new State(state);
        waiting.forEach(all::take);
        all.freeze(tree, live.of(state.averages, exact, state.averages::statistics));
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
