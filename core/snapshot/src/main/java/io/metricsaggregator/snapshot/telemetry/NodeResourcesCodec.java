package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link NodeResources} to and from the tree {@code observations.resource.by_node.NODE}. */
final class NodeResourcesCodec {
    private static final String AVERAGES = "cpu_avg_pct_series";

    private NodeResourcesCodec() {}

    static Map<String, @Nullable Object> of(NodeResources node) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_samples", node.samples());
        if (node.samples() == 0) {
            tree.put("cpu_avg_pct", null);
            tree.put("node_cpu_hours", null);
            tree.put("node_unused_cpu_hours", null);
            return tree;
        }
        NodeResources.Observed observed = node.observed();
        tree.put("observed_s", finite(observed.seconds()));
        tree.put("first_ns", observed.firstNanos());
        tree.put("last_ns", observed.lastNanos());
        cpu(tree, node.cpu());
        tree.put("mem_max_pct", finite(node.memoryMaxPercent()));
        tree.put("mem_avg_pct", finite(node.memoryAveragePercent()));
        tree.put("disk_usage_max_pct", finite(node.diskUsageMaxPercent()));
        tree.put("node_cpu_hours", finite(node.cpu().hours()));
        tree.put("node_used_cpu_hours", finite(node.cpu().usedHours()));
        tree.put("node_unused_cpu_hours", finite(node.cpu().unusedHours()));
        tree.put("max_gap_s", finite(observed.maxGapSeconds()));
        tree.put("clock_jumps", observed.clockJumps());
        node.grown().forEach((counter, growth) -> {
            tree.put("job_" + counter.bytesName(), growth.bytes());
            tree.put("job_" + counter.mebibytesName(), growth.mebibytes());
            if (growth.resets() > 0) {
                tree.put("resets_" + counter.bytesName(), growth.resets());
            }
        });
        if (!node.cores().isEmpty()) {
            List<@Nullable Double> means = new ArrayList<>();
            List<@Nullable Double> highest = new ArrayList<>();
            node.cores().forEach(core -> {
                means.add(finite(core.averagePercent()));
                highest.add(finite(core.maxPercent()));
            });
            tree.put("core_avg_pct", means);
            tree.put("core_max_pct", highest);
        }
        node.gauges().forEach((name, gauge) -> tree.put(name, gauge(gauge)));
        tree.put("now_cpu_pct", finite(node.nowCpuPercent()));
        tree.put("now_mem_pct", finite(node.nowMemoryPercent()));
        return tree;
    }

    private static void cpu(Map<String, @Nullable Object> tree, NodeResources.CpuUse cpu) {
        tree.put("cpu_avg_pct", finite(cpu.averagePercent()));
        tree.put(AVERAGES, ValueStatisticsCodec.of(cpu.averages(), ""));
        tree.put("cpu_over20_pct", finite(cpu.over20Percent()));
        tree.put("cpu_over40_pct", finite(cpu.over40Percent()));
        tree.put("cpu_over80_pct", finite(cpu.over80Percent()));
        tree.put("cpu_at100_pct", finite(cpu.at100Percent()));
        tree.put("cpu_max_of_avg_pct", finite(cpu.maxOfAverage()));
        tree.put("cpu_max_of_min_pct", finite(cpu.maxOfLowest()));
        tree.put("cpu_max_of_max_pct", finite(cpu.maxOfHighest()));
    }

    private static Map<String, @Nullable Object> gauge(NodeResources.Gauge gauge) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("mean", finite(gauge.mean()));
        tree.put("max", finite(gauge.max()));
        tree.put("last", finite(gauge.last()));
        return tree;
    }

    static NodeResources read(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        long samples = fields.integer("n_samples");
        return samples == 0
                ? NodeResources.SILENT
                : new NodeResources(
                        samples,
                        new NodeResources.Observed(
                                fields.realOrZero("observed_s"),
                                fields.integer("first_ns"),
                                fields.integer("last_ns"),
                                fields.real("max_gap_s"),
                                fields.integer("clock_jumps")),
                        readCpu(fields),
                        fields.real("mem_max_pct"),
                        fields.real("mem_avg_pct"),
                        fields.real("disk_usage_max_pct"),
                        readGrown(fields),
                        readCores(fields),
                        readGauges(fields),
                        fields.real("now_cpu_pct"),
                        fields.real("now_mem_pct"));
    }

    private static NodeResources.CpuUse readCpu(TreeFields fields) throws MalformedMessageException {
        return new NodeResources.CpuUse(
                fields.real("cpu_avg_pct"),
                ValueStatisticsCodec.read(fields.map(AVERAGES), ""),
                fields.real("cpu_over20_pct"),
                fields.real("cpu_over40_pct"),
                fields.real("cpu_over80_pct"),
                fields.real("cpu_at100_pct"),
                fields.real("cpu_max_of_avg_pct"),
                fields.real("cpu_max_of_min_pct"),
                fields.real("cpu_max_of_max_pct"),
                fields.real("node_cpu_hours"),
                fields.real("node_used_cpu_hours"),
                fields.real("node_unused_cpu_hours"));
    }

    private static Map<ResourceCounter, NodeResources.Growth> readGrown(TreeFields fields)
            throws MalformedMessageException {
        Map<ResourceCounter, NodeResources.Growth> grown = new EnumMap<>(ResourceCounter.class);
        for (ResourceCounter counter : ResourceCounter.values()) {
            Long bytes = fields.integerOrNull("job_" + counter.bytesName());
            if (bytes != null) {
                grown.put(counter, new NodeResources.Growth(bytes, fields.integer("resets_" + counter.bytesName())));
            }
        }
        return grown;
    }

    private static List<NodeResources.Core> readCores(TreeFields fields) throws MalformedMessageException {
        List<@Nullable Double> means = fields.reals("core_avg_pct");
        List<@Nullable Double> highest = fields.reals("core_max_pct");
        List<NodeResources.Core> cores = new ArrayList<>(means.size());
        for (int i = 0; i < means.size(); i++) {
            cores.add(new NodeResources.Core(means.get(i), i < highest.size() ? highest.get(i) : null));
        }
        return cores;
    }

    /** Every field that is a map, but for the statistics of the averages: newer daemons may send further gauges. */
    private static Map<String, NodeResources.Gauge> readGauges(TreeFields fields) throws MalformedMessageException {
        Map<String, NodeResources.Gauge> gauges = new LinkedHashMap<>();
        for (String name : fields.names()) {
            if (fields.value(name) instanceof Map<?, ?> && !name.equals(AVERAGES)) {
                TreeFields gauge = fields.map(name);
                gauges.put(name, new NodeResources.Gauge(gauge.real("mean"), gauge.real("max"), gauge.real("last")));
            }
        }
        return gauges;
    }
}
