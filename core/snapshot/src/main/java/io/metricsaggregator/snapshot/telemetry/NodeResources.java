package io.metricsaggregator.snapshot.telemetry;

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
            @Nullable Double unusedHours) {}

    /**
     * Growth of a counter since the first sample.
     *
     * @param resets how often the counter started from zero
     */
    public record Growth(long bytes, long resets) {
        private static final double MIB = 1 << 20;

        /** The growth in MiB. */
        public double mebibytes() {
            return bytes / MIB;
        }
    }

    /** Use of one CPU, in percent; null where no time was observed. */
    public record Core(
            @Nullable Double averagePercent, @Nullable Double maxPercent) {}

    /** Time-weighted mean, highest and last value; null where nothing was measured. */
    public record Gauge(
            @Nullable Double mean,
            @Nullable Double max,
            @Nullable Double last) {}
}
