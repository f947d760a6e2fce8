package io.metricsaggregator.snapshot.telemetry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CPU, memory, disk and network of the nodes. Maps may be views that compute a node when it is read (see {@link io.metricsaggregator.codec.LazyTree}), so they are not copied.
 *
 * @param nodes by name, in the order in which they were expected or first reported
 * @param cluster sums over the nodes that reported
 * @param nodesMissing names of expected nodes that never reported
 * @param collector what lightgbm-benchmark's collector would log, by node; null where a node's reports were dropped for want of memory; null as a whole when {@code collectorError}
 *     is set
 * @param collectorError the Python error with which that collector would end; null for none
 * @param thinning the reports that collector would have kept, by node; null in a live snapshot
 * @param timelines samples over time, by node; null in a live snapshot
 */
public record ResourceSnapshot(
        Map<String, NodeResources> nodes,
        ClusterResources cluster,
        List<String> nodesMissing,
        @Nullable Map<String, @Nullable Map<CollectorFigure, @Nullable Double>> collector,
        @Nullable String collectorError,
        @Nullable Map<String, ThinnedReports> thinning,
        @Nullable Map<String, NodeTimeline> timelines)
        implements TelemetrySnapshot {

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.RESOURCE;
    }

    @Override
    public Map<String, @Nullable Object> tree() {
        return ResourceSnapshotCodec.of(this);
    }

    public ResourceSnapshot {
        nodesMissing = List.copyOf(nodesMissing);
    }

    /**
     * Sums over the nodes that reported.
     *
     * @param nodes nodes that were expected or reported
     * @param reporting nodes that reported
     * @param cpuHours CPU time that the nodes had, hours
     * @param usedCpuHours CPU time that they used, hours
     * @param unusedCpuHours the difference, hours
     * @param cpuAveragePercent CPU in use, weighted by CPU hours; null without any
     * @param jobBytes bytes since the first sample of each node, by counter, in the order in which the counters were first reported
     * @param memoryMaxPercent highest memory use of any node; null if none reported it
     */
    public record ClusterResources(
            long nodes,
            long reporting,
            double cpuHours,
            double usedCpuHours,
            double unusedCpuHours,
            @Nullable Double cpuAveragePercent,
            Map<ResourceCounter, Long> jobBytes,
            @Nullable Double memoryMaxPercent) {}

    /**
     * The reports of a node that lightgbm-benchmark's collector would have kept.
     *
     * @param keptMax most reports it keeps
     * @param frequency it keeps every {@code frequency}-th report
     * @param seen reports received
     * @param kept reports kept
     * @param dropped whether the reports were dropped for want of memory
     * @param numbers numbers of the kept reports, from 1
     */
    public record ThinnedReports(
            long keptMax, long frequency, long seen, long kept, boolean dropped, List<Long> numbers) {
        public ThinnedReports {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * Samples of a node over time, one value per bucket, null where nothing was measured.
     *
     * @param cpuPercent CPU in use, mean over the node's CPUs
     * @param memoryPercent memory in use
     * @param grown bytes by which a counter grew in each bucket, by counter
     */
    public record NodeTimeline(
            TimeBuckets buckets,
            GaugeTimeline cpuPercent,
            GaugeTimeline memoryPercent,
            Map<ResourceCounter, List<@Nullable Double>> grown,
            SampleClock clock) {}
}
