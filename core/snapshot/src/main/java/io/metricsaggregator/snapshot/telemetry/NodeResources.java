package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node over the run. Means are weighted by time: each sample stands for the time since its predecessor, the first for its own interval.
 *
 * @param samples samples taken; 0 for an expected node that never reported, of which nothing else is known
 * @param observed the time that the samples cover
 * @param cpu CPU use
 * @param memoryMaxPercent highest memory use; null if it was not reported
 * @param memoryAveragePercent mean memory use; null if it was not reported
 * @param diskUsageMaxPercent highest use of the root file system; null if it was not reported
 * @param grown growth of the byte counters that the node reported, since its first sample
 * @param cores CPUs, in the order of their numbers; empty if the node reports only figures over all of them
 * @param gauges further figures of the host, by name, such as {@code pressure_cpu_some_pct}
 * @param nowCpuPercent CPU use of the newest sample; null without a sample
 * @param nowMemoryPercent memory use of the newest sample; null if it was not reported
 */
public record NodeResources(
        long samples,
        Observed observed,
        CpuUse cpu,
        @Nullable Double memoryMaxPercent,
        @Nullable Double memoryAveragePercent,
        @Nullable Double diskUsageMaxPercent,
        Map<ResourceCounter, Growth> grown,
        List<Core> cores,
        Map<String, Gauge> gauges,
        @Nullable Double nowCpuPercent,
        @Nullable Double nowMemoryPercent) {

    /** A node that was expected and never reported. */
    public static final NodeResources SILENT = new NodeResources(
            0,
            new Observed(0, 0, 0, null, 0),
            new CpuUse(null, ValueStatistics.NONE, null, null, null, null, null, null, null, null, null, null),
            null,
            null,
            null,
            Map.of(),
            List.of(),
            Map.of(),
            null,
            null);

    static final Fields.Form<Map<String, NodeResources>> BY_NAME = Forms.map(NodeResources::pass, SILENT);

    static NodeResources pass(Fields f, NodeResources v) throws MalformedMessageException {
        long samples = f.laterCount("n_samples", v.samples);
        if (samples == 0) {
            f.derived("cpu_avg_pct", null);
            f.derived("node_cpu_hours", null);
            f.derived("node_unused_cpu_hours", null);
            return SILENT;
        }
        double seconds = f.laterReal("observed_s", v.observed.seconds);
        long first = f.laterCount("first_ns", v.observed.firstNanos);
        long last = f.laterCount("last_ns", v.observed.lastNanos);
        CpuUse cpu = CpuUse.pass(f, v.cpu);
        Double memoryMax = f.maybeReal("mem_max_pct", v.memoryMaxPercent);
        Double memoryAverage = f.maybeReal("mem_avg_pct", v.memoryAveragePercent);
        Double diskMax = f.maybeReal("disk_usage_max_pct", v.diskUsageMaxPercent);
        cpu = cpu.passHours(f, v.cpu);
        Observed observed = new Observed(
                seconds,
                first,
                last,
                f.maybeReal("max_gap_s", v.observed.maxGapSeconds),
                f.laterCount("clock_jumps", v.observed.clockJumps));
        return new NodeResources(
                samples,
                observed,
                cpu,
                memoryMax,
                memoryAverage,
                diskMax,
                Growth.passAll(f, v.grown),
                Core.passAll(f, v.cores),
                f.others(v.gauges, Gauge.KEYS, Gauge.FORM),
                f.maybeReal("now_cpu_pct", v.nowCpuPercent),
                f.maybeReal("now_mem_pct", v.nowMemoryPercent));
    }

    public NodeResources {
        cores = List.copyOf(cores);
    }

    /** The mean of a gauge; null if the node did not report it. */
    public @Nullable Double gaugeMean(String name) {
        Gauge gauge = gauges.get(name);
        return gauge == null ? null : gauge.mean();
    }

    /** Bytes by which a counter grew since the first sample; null if the node did not report it. */
    public @Nullable Long grownBytes(ResourceCounter counter) {
        Growth growth = grown.get(counter);
        return growth == null ? null : (Long) growth.bytes();
    }

    /** The number of the CPU with the highest mean; -1 if CPUs were not reported one by one. */
    public int busiestCore() {
        int busiest = -1;
        double highest = Double.NaN;
        for (int i = 0; i < cores.size(); i++) {
            Double mean = cores.get(i).averagePercent();
            if (mean != null && (busiest < 0 || mean > highest)) {
                busiest = i;
                highest = mean;
            }
        }
        return busiest;
    }

    /**
     * The time that samples cover.
     *
     * @param seconds sum of the spans that the samples stand for
     * @param firstNanos time of the first sample, on the node's clock
     * @param lastNanos time of the last sample
     * @param maxGapSeconds longest span between two samples; null with fewer than two
     * @param clockJumps how often the clock jumped by a day or more
     */
    public record Observed(
            double seconds,
            long firstNanos,
            long lastNanos,
            @Nullable Double maxGapSeconds,
            long clockJumps) {}

    /**
     * CPU use, in percent of the node's CPUs; null where no time was observed.
     *
     * @param averages statistics of the samples' averages, each sample counting once
     * @param over20Percent share of the time with an average of at least 20 %, in percent; likewise the next three
     * @param maxOfAverage highest average over the CPUs of one sample
     * @param maxOfLowest highest use of the least used CPU
     * @param maxOfHighest highest use of any CPU
     * @param hours CPU time that the node had, hours
     */
    public record CpuUse(
            @Nullable Double averagePercent,
            ValueStatistics averages,
            @Nullable Double over20Percent,
            @Nullable Double over40Percent,
            @Nullable Double over80Percent,
            @Nullable Double at100Percent,
            @Nullable Double maxOfAverage,
            @Nullable Double maxOfLowest,
            @Nullable Double maxOfHighest,
            @Nullable Double hours,
            @Nullable Double usedHours,
            @Nullable Double unusedHours) {
        private static final String AVERAGES = "cpu_avg_pct_series";
        private static final Fields.Shape<ValueStatistics> STATISTICS = ValueStatistics.in("");

        /** All but the hours. */
        static CpuUse pass(Fields f, CpuUse v) throws MalformedMessageException {
            return new CpuUse(
                    f.maybeReal("cpu_avg_pct", v.averagePercent),
                    f.laterRecord(AVERAGES, v.averages, STATISTICS, ValueStatistics.NONE),
                    f.maybeReal("cpu_over20_pct", v.over20Percent),
                    f.maybeReal("cpu_over40_pct", v.over40Percent),
                    f.maybeReal("cpu_over80_pct", v.over80Percent),
                    f.maybeReal("cpu_at100_pct", v.at100Percent),
                    f.maybeReal("cpu_max_of_avg_pct", v.maxOfAverage),
                    f.maybeReal("cpu_max_of_min_pct", v.maxOfLowest),
                    f.maybeReal("cpu_max_of_max_pct", v.maxOfHighest),
                    null,
                    null,
                    null);
        }

        /** These figures with the hours, which are written apart from them. */
        CpuUse passHours(Fields f, CpuUse v) throws MalformedMessageException {
            return new CpuUse(
                    averagePercent,
                    averages,
                    over20Percent,
                    over40Percent,
                    over80Percent,
                    at100Percent,
                    maxOfAverage,
                    maxOfLowest,
                    maxOfHighest,
                    f.maybeReal("node_cpu_hours", v.hours),
                    f.maybeReal("node_used_cpu_hours", v.usedHours),
                    f.maybeReal("node_unused_cpu_hours", v.unusedHours));
        }
    }

    /**
     * Growth of a counter since the first sample.
     *
     * @param resets how often the counter started from zero
     */
    public record Growth(long bytes, long resets) {
        private static final double MIB = 1 << 20;

        static Map<ResourceCounter, Growth> passAll(Fields f, Map<ResourceCounter, Growth> v)
                throws MalformedMessageException {
            Map<ResourceCounter, Growth> read = new EnumMap<>(ResourceCounter.class);
            for (ResourceCounter counter : ResourceCounter.all(v.keySet())) {
                Growth growth = v.get(counter);
                Long bytes = f.absentCount("job_" + counter.bytesName(), growth == null ? null : (Long) growth.bytes);
                if (bytes != null) {
                    f.derived("job_" + counter.mebibytesName(), bytes / MIB);
                    String resets = "resets_" + counter.bytesName();
                    read.put(counter, new Growth(bytes, f.rareCount(resets, growth == null ? 0 : growth.resets)));
                }
            }
            return read;
        }
    }

    /** Use of one CPU, in percent; null where no time was observed. */
    public record Core(
            @Nullable Double averagePercent, @Nullable Double maxPercent) {
        static List<Core> passAll(Fields f, List<Core> v) throws MalformedMessageException {
            List<@Nullable Double> means = f.absentForm(
                    "core_avg_pct", v.isEmpty() ? null : LazyTree.list(v, Core::averagePercent), Forms.COLUMN);
            List<@Nullable Double> highest =
                    f.absentForm("core_max_pct", v.isEmpty() ? null : LazyTree.list(v, Core::maxPercent), Forms.COLUMN);
            List<Core> cores = new ArrayList<>();
            for (int i = 0; means != null && i < means.size(); i++) {
                cores.add(new Core(means.get(i), highest != null && i < highest.size() ? highest.get(i) : null));
            }
            return cores;
        }
    }

    /** Time-weighted mean, highest and last value; null where nothing was measured. */
    public record Gauge(
            @Nullable Double mean,
            @Nullable Double max,
            @Nullable Double last) {
        static final Fields.Form<Gauge> FORM = Forms.record(Gauge::pass, new Gauge(null, null, null));

        /** Every map but that of the averages: newer daemons may send further gauges. */
        static final Fields.Keys KEYS =
                Forms.keys((key, tree) -> tree instanceof Map<?, ?> && !key.equals(CpuUse.AVERAGES));

        static Gauge pass(Fields f, Gauge v) throws MalformedMessageException {
            return new Gauge(f.maybeReal("mean", v.mean), f.maybeReal("max", v.max), f.maybeReal("last", v.last));
        }
    }
}
