package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.CollectorFigure;
import io.metricsaggregator.snapshot.telemetry.NodeResources;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes' resources: the cluster, then tables of the nodes. */
final class ResourceBlocks {
    private static final int NODES_MAX = 16;
    /** Gauges of pressure and limits: the name in a snapshot, the title and the format of the mean. */
    private static final List<List<String>> GAUGES = List.of(
            List.of("pressure_cpu_some_pct", "tasks waited for CPU", "%.1f %%"),
            List.of("pressure_memory_some_pct", "for memory", "%.1f %%"),
            List.of("pressure_io_some_pct", "for disks", "%.1f %%"),
            List.of("cgroup_cpu_limit", "limit", "%.2f CPUs"),
            List.of("cgroup_throttled_pct", "throttled", "%.1f %%"),
            List.of("load1", "load", "%.2f"));

    private ResourceBlocks() {}

    /** The blocks of the run; empty if no node reported or was expected to. */
    static List<Section.Block> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ResourceSnapshot resource = extensions.telemetry().resource();
        if (resource == null) {
            return List.of();
        }
        List<Section.Block> blocks = new ArrayList<>();
        ResourceSnapshot.ClusterResources cluster = resource.cluster();
        blocks.add(new Section.Line(String.format(
                Locale.ROOT,
                "%s of %s nodes report; %s CPU hours, %s %% used; %s MiB read, %s MiB written, %s MiB sent, %s MiB received",
                Tree.count(cluster.reporting()),
                Tree.count(cluster.nodes()),
                Tree.number(cluster.cpuHours(), "%.3f"),
                Tree.number(cluster.cpuAveragePercent(), "%.1f"),
                mebibytes(cluster.jobBytes().get(ResourceCounter.DISK_READ)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.DISK_WRITE)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.NET_EXT_SENT)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.NET_EXT_RECEIVED)))));
        if (!resource.nodesMissing().isEmpty()) {
            blocks.add(new Section.Line("MISSING: " + Tree.text(String.join(", ", resource.nodesMissing()), 400)));
        }
        nodes(blocks, resource);
        if (resource.collectorError() != null) {
            blocks.add(new Section.Line(
                    "the original collector would report nothing: " + Tree.text(resource.collectorError(), 100)));
        }
        return blocks;
    }

    private static void nodes(List<Section.Block> blocks, ResourceSnapshot resource) {
        List<List<String>> processors = new ArrayList<>();
        List<List<String>> traffic = new ArrayList<>();
        List<List<String>> pressure = new ArrayList<>();
        List<List<String>> collector = new ArrayList<>();
        int reporting = 0;
        for (Map.Entry<String, NodeResources> each : resource.nodes().entrySet()) {
            NodeResources node = each.getValue();
            if (node.samples() == 0 || reporting++ >= NODES_MAX) {
                continue;
            }
            String name = Tree.text(each.getKey(), 24);
            processors.add(processor(name, node));
            traffic.add(traffic(name, node));
            if (GAUGES.stream().anyMatch(gauge -> node.gaugeMean(gauge.get(0)) != null)) {
                pressure.add(pressure(name, node));
            }
            Map<CollectorFigure, @Nullable Double> figures =
                    resource.collector() == null ? null : resource.collector().get(each.getKey());
            if (figures != null) {
                collector.add(collector(name, figures));
            }
        }
        add(
                blocks,
                List.of(
                        "node",
                        "CPU now",
                        "mean",
                        "max",
                        "time above 80 %",
                        "busiest CPU",
                        "its mean",
                        "its max",
                        "memory max"),
                processors);
        if (reporting > NODES_MAX) {
            blocks.add(new Section.Line("and " + (reporting - NODES_MAX) + " more nodes"));
        }
        add(blocks, List.of("node", "read", "written", "sent", "received", "samples", "over", "longest gap"), traffic);
        List<String> titles = new ArrayList<>(List.of("node"));
        GAUGES.forEach(gauge -> titles.add(gauge.get(1)));
        add(blocks, titles, pressure);
        add(
                blocks,
                List.of(
                        "as lightgbm-benchmark has it",
                        "max_t_cpu_pct_per_cpu_avg",
                        "cpu_avg_utilization_pct",
                        "node_cpu_hours",
                        "max_t_mem_percent"),
                collector);
    }

    private static void add(List<Section.Block> blocks, List<String> titles, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            blocks.add(Section.Table.ofNumbers(titles, rows));
        }
    }

    private static List<String> processor(String name, NodeResources node) {
        int core = node.busiestCore();
        return List.of(
                name,
                Tree.number(node.nowCpuPercent(), "%.1f %%"),
                Tree.number(node.cpu().averagePercent(), "%.1f %%"),
                Tree.number(node.cpu().maxOfAverage(), "%.1f %%"),
                Tree.number(node.cpu().over80Percent(), "%.1f %%"),
                core < 0 ? "-" : String.valueOf(core),
                core < 0 ? "-" : Tree.number(node.cores().get(core).averagePercent(), "%.1f %%"),
                core < 0 ? "-" : Tree.number(node.cores().get(core).maxPercent(), "%.1f %%"),
                Tree.number(node.memoryMaxPercent(), "%.1f %%"));
    }

    private static List<String> traffic(String name, NodeResources node) {
        return List.of(
                name,
                mebibytes(node.grownBytes(ResourceCounter.DISK_READ)) + " MiB",
                mebibytes(node.grownBytes(ResourceCounter.DISK_WRITE)) + " MiB",
                mebibytes(node.grownBytes(ResourceCounter.NET_EXT_SENT)) + " MiB",
                mebibytes(node.grownBytes(ResourceCounter.NET_EXT_RECEIVED)) + " MiB",
                Tree.count(node.samples()),
                Tree.number(node.observed().seconds(), "%,.1f s"),
                Tree.number(node.observed().maxGapSeconds(), "%,.2f s"));
    }

    private static List<String> pressure(String name, NodeResources node) {
        List<String> cells = new ArrayList<>(List.of(name));
        GAUGES.forEach(gauge -> cells.add(Tree.number(node.gaugeMean(gauge.get(0)), gauge.get(2))));
        return cells;
    }

    /** The figures that lightgbm-benchmark's collector would log, under its own names. */
    private static List<String> collector(String name, Map<CollectorFigure, @Nullable Double> figures) {
        return List.of(
                name,
                Tree.number(figures.get(CollectorFigure.MAX_CPU_AVERAGE), "%.2f"),
                Tree.number(figures.get(CollectorFigure.CPU_UTILIZATION), "%.2f"),
                Tree.number(figures.get(CollectorFigure.NODE_CPU_HOURS), "%.4f"),
                Tree.number(figures.get(CollectorFigure.MAX_MEMORY), "%.2f"));
    }

    private static String mebibytes(@Nullable Long bytes) {
        return bytes == null ? "-" : String.format(Locale.ROOT, "%,.1f", bytes / (double) (1 << 20));
    }
}
