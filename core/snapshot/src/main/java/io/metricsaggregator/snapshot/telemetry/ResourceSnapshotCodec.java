package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ResourceSnapshot} to and from the tree {@code observations.resource}. Large parts of the tree are views. */
final class ResourceSnapshotCodec {
    private ResourceSnapshotCodec() {}

    /** The tree; its large parts are views of the record. */
    static Map<String, @Nullable Object> of(ResourceSnapshot resource) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("by_node", LazyTree.map(resource.nodes(), (name, node) -> NodeResourcesCodec.of(node)));
        tree.put("cluster", cluster(resource.cluster()));
        tree.put("nodes_missing", resource.nodesMissing());
        Map<String, @Nullable Map<CollectorFigure, @Nullable Double>> collector = resource.collector();
        tree.put("compat", collector == null ? null : LazyTree.map(collector, (name, node) -> figures(node)));
        tree.put("compat_error", resource.collectorError());
        Map<String, ResourceSnapshot.ThinnedReports> thinning = resource.thinning();
        if (thinning != null) {
            tree.put("thinning", LazyTree.map(thinning, (name, node) -> thinned(node)));
        }
        Map<String, ResourceSnapshot.NodeTimeline> timelines = resource.timelines();
        if (timelines != null) {
            tree.put("timeline", LazyTree.map(timelines, (name, node) -> timeline(node)));
        }
        return tree;
    }

    /**
     * Reads the record from a decoded tree, of this version or an older one.
     *
     * @param path names the tree in errors
     * @throws MalformedMessageException if a field has another type than it should; the message names the field
     */
    static ResourceSnapshot read(String path, Object tree) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, tree);
        return new ResourceSnapshot(
                fields.byName("by_node", NodeResourcesCodec::read),
                readCluster(fields.map("cluster")),
                fields.texts("nodes_missing"),
                fields.has("compat") ? fields.byName("compat", ResourceSnapshotCodec::readFigures) : null,
                fields.textOrNull("compat_error"),
                fields.has("thinning") ? fields.byName("thinning", ResourceSnapshotCodec::readThinned) : null,
                fields.has("timeline") ? fields.byName("timeline", ResourceSnapshotCodec::readTimeline) : null);
    }

    private static Map<String, @Nullable Object> cluster(ResourceSnapshot.ClusterResources cluster) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_nodes", cluster.nodes());
        tree.put("n_nodes_reporting", cluster.reporting());
        tree.put("total_cpu_hours", finite(cluster.cpuHours()));
        tree.put("total_used_cpu_hours", finite(cluster.usedCpuHours()));
        tree.put("total_unused_cpu_hours", finite(cluster.unusedCpuHours()));
        tree.put("cpu_avg_pct_weighted", finite(cluster.cpuAveragePercent()));
        cluster.jobBytes().forEach((counter, bytes) -> tree.put("job_" + counter.bytesName(), bytes));
        tree.put("max_mem_pct", finite(cluster.memoryMaxPercent()));
        return tree;
    }

    private static ResourceSnapshot.ClusterResources readCluster(TreeFields fields) throws MalformedMessageException {
        Map<ResourceCounter, Long> jobBytes = new LinkedHashMap<>();
        for (String name : fields.names()) {
            ResourceCounter counter = name.startsWith("job_") ? ResourceCounter.of(name.substring(4)) : null;
            if (counter != null) {
                jobBytes.put(counter, fields.integer(name));
            }
        }
        return new ResourceSnapshot.ClusterResources(
                fields.integer("n_nodes"),
                fields.integer("n_nodes_reporting"),
                fields.realOrZero("total_cpu_hours"),
                fields.realOrZero("total_used_cpu_hours"),
                fields.realOrZero("total_unused_cpu_hours"),
                fields.real("cpu_avg_pct_weighted"),
                jobBytes,
                fields.real("max_mem_pct"));
    }

    private static @Nullable Map<String, @Nullable Object> figures(
            @Nullable Map<CollectorFigure, @Nullable Double> figures) {
        if (figures == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        figures.forEach((figure, value) -> tree.put(figure.wireName(), finite(value)));
        return tree;
    }

    private static @Nullable Map<CollectorFigure, @Nullable Double> readFigures(String path, @Nullable Object value)
            throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        TreeFields fields = TreeFields.of(path, value);
        Map<CollectorFigure, @Nullable Double> figures = new EnumMap<>(CollectorFigure.class);
        for (CollectorFigure figure : CollectorFigure.values()) {
            figures.put(figure, fields.real(figure.wireName()));
        }
        return figures;
    }

    private static Map<String, @Nullable Object> thinned(ResourceSnapshot.ThinnedReports reports) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("effective_max_length", reports.keptMax());
        tree.put("final_skip_frequency", reports.frequency());
        tree.put("reports_seen", reports.seen());
        tree.put("kept_count", reports.kept());
        if (reports.dropped()) {
            tree.put("given_up", true);
        }
        tree.put("kept_report_numbers_1based", reports.numbers());
        return tree;
    }

    private static ResourceSnapshot.ThinnedReports readThinned(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ResourceSnapshot.ThinnedReports(
                fields.integer("effective_max_length"),
                fields.integer("final_skip_frequency"),
                fields.integer("reports_seen"),
                fields.integer("kept_count"),
                fields.flag("given_up"),
                fields.list("kept_report_numbers_1based", TreeFields::integer));
    }

    private static Map<String, @Nullable Object> timeline(ResourceSnapshot.NodeTimeline timeline) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        timeline.buckets().put(tree);
        tree.put("cpu_pct", gauge(timeline.cpuPercent()));
        tree.put("mem_pct", gauge(timeline.memoryPercent()));
        timeline.grown().forEach((counter, bytes) -> tree.put(counter.bytesName(), finites(bytes)));
        tree.put("clock", timeline.clock().wireName());
        return tree;
    }

    private static Map<String, @Nullable Object> gauge(GaugeTimeline gauge) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("mean", finites(gauge.mean()));
        tree.put("min", finites(gauge.min()));
        tree.put("max", finites(gauge.max()));
        tree.put("first", finites(gauge.first()));
        tree.put("last", finites(gauge.last()));
        return tree;
    }

    private static List<@Nullable Double> finites(List<@Nullable Double> values) {
        return LazyTree.list(values, TreeFields::finite);
    }

    private static ResourceSnapshot.NodeTimeline readTimeline(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        Map<ResourceCounter, List<@Nullable Double>> grown = new LinkedHashMap<>();
        for (ResourceCounter counter : ResourceCounter.values()) {
            if (fields.has(counter.bytesName())) {
                grown.put(counter, fields.reals(counter.bytesName()));
            }
        }
        return new ResourceSnapshot.NodeTimeline(
                TimeBuckets.read(fields),
                readGauge(fields.map("cpu_pct")),
                readGauge(fields.map("mem_pct")),
                grown,
                SampleClock.of(fields.text("clock")));
    }

    private static GaugeTimeline readGauge(TreeFields fields) throws MalformedMessageException {
        return new GaugeTimeline(
                fields.reals("mean"),
                fields.reals("min"),
                fields.reals("max"),
                fields.reals("first"),
                fields.reals("last"));
    }
}
