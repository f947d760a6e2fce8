package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeValues;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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
        return TreeWriter.tree(this, ResourceSnapshot::pass);
    }

    static final ResourceSnapshot BLANK =
            new ResourceSnapshot(Map.of(), ClusterResources.BLANK, List.of(), null, null, null, null);

    private static final Fields.Form<Map<CollectorFigure, @Nullable Double>> COLLECTED =
            Forms.of(ResourceSnapshot::collectedTree, ResourceSnapshot::collected);
    private static final Fields.Form<Map<String, Map<CollectorFigure, @Nullable Double>>> COLLECTOR =
            Forms.map(COLLECTED);

    static ResourceSnapshot pass(Fields f, ResourceSnapshot v) throws MalformedMessageException {
        return new ResourceSnapshot(
                f.form("by_node", v.nodes, NodeResources.BY_NAME),
                f.laterRecord("cluster", v.cluster, ClusterResources::pass, ClusterResources.BLANK),
                f.texts("nodes_missing", v.nodesMissing),
                f.maybeForm("compat", v.collector, COLLECTOR),
                f.maybeText("compat_error", v.collectorError),
                f.absentForm("thinning", v.thinning, ThinnedReports.BY_NAME),
                f.absentForm("timeline", v.timelines, NodeTimeline.BY_NAME));
    }

    private static @Nullable Object collectedTree(@Nullable Map<CollectorFigure, @Nullable Double> figures) {
        if (figures == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        figures.forEach((figure, value) -> tree.put(figure.wireName(), Forms.REAL.tree(value)));
        return tree;
    }

    private static @Nullable Map<CollectorFigure, @Nullable Double> collected(String path, @Nullable Object tree)
            throws MalformedMessageException {
        if (tree == null) {
            return null;
        }
        Map<?, ?> from = TreeValues.map(path, tree);
        Map<CollectorFigure, @Nullable Double> figures = new EnumMap<>(CollectorFigure.class);
        for (CollectorFigure figure : CollectorFigure.values()) {
            String name = figure.wireName();
            figures.put(figure, Forms.REAL.read(path + "." + name, from.get(name)));
        }
        return figures;
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
            @Nullable Double memoryMaxPercent) {
        static final ClusterResources BLANK = new ClusterResources(0, 0, 0, 0, 0, null, Map.of(), null);

        static ClusterResources pass(Fields f, ClusterResources v) throws MalformedMessageException {
            return new ClusterResources(
                    f.laterCount("n_nodes", v.nodes),
                    f.laterCount("n_nodes_reporting", v.reporting),
                    f.laterReal("total_cpu_hours", v.cpuHours),
                    f.laterReal("total_used_cpu_hours", v.usedCpuHours),
                    f.laterReal("total_unused_cpu_hours", v.unusedCpuHours),
                    f.maybeReal("cpu_avg_pct_weighted", v.cpuAveragePercent),
                    jobBytes(f, v.jobBytes),
                    f.maybeReal("max_mem_pct", v.memoryMaxPercent));
        }

        private static Map<ResourceCounter, Long> jobBytes(Fields f, Map<ResourceCounter, Long> v)
                throws MalformedMessageException {
            Map<String, Long> byName = new LinkedHashMap<>();
            v.forEach((counter, bytes) -> byName.put(counter.bytesName(), bytes));
            Map<ResourceCounter, Long> read = new LinkedHashMap<>();
            f.others(byName, JobKeys.ALL, Forms.INTEGER).forEach((name, bytes) -> {
                ResourceCounter counter = ResourceCounter.of(name);
                if (counter != null) {
                    read.put(counter, bytes);
                }
            });
            return read;
        }
    }

    private enum JobKeys implements Fields.Keys {
        ALL;

        private static final String PREFIX = "job_";

        @Override
        public String key(String name) {
            return PREFIX + name;
        }

        @Override
        public @Nullable String name(String key, @Nullable Object tree) {
            String name = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : "";
            return ResourceCounter.of(name) == null ? null : name;
        }
    }

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
        static final Fields.Form<Map<String, ThinnedReports>> BY_NAME =
                Forms.map(ThinnedReports::pass, new ThinnedReports(0, 0, 0, 0, false, List.of()));

        private static final Fields.Form<List<Long>> NUMBERS = Forms.list(Forms.INTEGER);

        static ThinnedReports pass(Fields f, ThinnedReports v) throws MalformedMessageException {
            return new ThinnedReports(
                    f.laterCount("effective_max_length", v.keptMax),
                    f.laterCount("final_skip_frequency", v.frequency),
                    f.laterCount("reports_seen", v.seen),
                    f.laterCount("kept_count", v.kept),
                    f.absentFlag("given_up", v.dropped),
                    f.form("kept_report_numbers_1based", v.numbers, NUMBERS));
        }

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
            SampleClock clock) {
        static final Fields.Form<Map<String, NodeTimeline>> BY_NAME = Forms.map(
                NodeTimeline::pass,
                new NodeTimeline(
                        TimeBuckets.BLANK, GaugeTimeline.BLANK, GaugeTimeline.BLANK, Map.of(), SampleClock.WALL));

        static NodeTimeline pass(Fields f, NodeTimeline v) throws MalformedMessageException {
            return new NodeTimeline(
                    TimeBuckets.pass(f, v.buckets),
                    f.laterRecord("cpu_pct", v.cpuPercent, GaugeTimeline::pass, GaugeTimeline.BLANK),
                    f.laterRecord("mem_pct", v.memoryPercent, GaugeTimeline::pass, GaugeTimeline.BLANK),
                    grown(f, v.grown),
                    SampleClock.of(f.laterText("clock", v.clock.wireName())));
        }

        private static Map<ResourceCounter, List<@Nullable Double>> grown(
                Fields f, Map<ResourceCounter, List<@Nullable Double>> v) throws MalformedMessageException {
            Map<ResourceCounter, List<@Nullable Double>> grown = new LinkedHashMap<>();
            for (ResourceCounter counter : ResourceCounter.all(v.keySet())) {
                List<@Nullable Double> bytes = f.absentForm(counter.bytesName(), v.get(counter), Forms.COLUMN);
                if (bytes != null) {
                    grown.put(counter, bytes);
                }
            }
            return grown;
        }
    }
}
