package io.metricsaggregator.report.text;

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

/** The nodes' resources as text: the cluster, then a few lines per node. */
final class ResourceText {
    private static final int NODES_MAX = 16;

    private ResourceText() {}

    /** Lines of the run; empty if no node reported or was expected to. */
    static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ResourceSnapshot resource =
                extensions == null ? null : extensions.telemetry().resource();
        if (resource == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        ResourceSnapshot.ClusterResources cluster = resource.cluster();
        lines.add(String.format(
                Locale.ROOT,
                "%s of %s nodes report; %s CPU hours, %s %% used; %s MiB read, %s MiB written, %s MiB sent, %s MiB received",
                Tree.count(cluster.reporting()),
                Tree.count(cluster.nodes()),
                Tree.number(cluster.cpuHours(), "%.3f"),
                Tree.number(cluster.cpuAveragePercent(), "%.1f"),
                mebibytes(cluster.jobBytes().get(ResourceCounter.DISK_READ)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.DISK_WRITE)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.NET_EXT_SENT)),
                mebibytes(cluster.jobBytes().get(ResourceCounter.NET_EXT_RECEIVED))));
        if (!resource.nodesMissing().isEmpty()) {
            lines.add("MISSING: " + Tree.text(String.join(", ", resource.nodesMissing()), 400));
        }
        nodes(lines, resource);
        if (resource.collectorError() != null) {
            lines.add("the original collector would report nothing: " + Tree.text(resource.collectorError(), 100));
        }
        return lines;
    }

    private static void nodes(List<String> lines, ResourceSnapshot resource) {
        int shown = 0;
        for (Map.Entry<String, NodeResources> each : resource.nodes().entrySet()) {
            NodeResources node = each.getValue();
            if (node.samples() == 0) {
                continue;
            }
            if (shown++ == NODES_MAX) {
                lines.add("and " + (resource.nodes().size() - NODES_MAX) + " more nodes");
                break;
            }
            node(lines, Tree.text(each.getKey(), 24), node);
            Map<CollectorFigure, @Nullable Double> figures =
                    resource.collector() == null ? null : resource.collector().get(each.getKey());
            if (figures != null) {
                collector(lines, figures);
            }
        }
    }

    private static void node(List<String> lines, String name, NodeResources node) {
        lines.add(String.format(
                Locale.ROOT,
                "%-16s cpu %s %% now, %s %% on average, %s %% at most; over 80 %% for %s %% of the time; memory %s %% at"
                        + " most",
                name,
                Tree.number(node.nowCpuPercent(), "%.1f"),
                Tree.number(node.cpu().averagePercent(), "%.1f"),
                Tree.number(node.cpu().maxOfAverage(), "%.1f"),
                Tree.number(node.cpu().over80Percent(), "%.1f"),
                Tree.number(node.memoryMaxPercent(), "%.1f")));
        lines.add(String.format(
                Locale.ROOT,
                "%-16s %s MiB read, %s written, %s sent, %s received; %s samples over %s s, the longest gap %s s",
                "",
                mebibytes(node.grownBytes(ResourceCounter.DISK_READ)),
                mebibytes(node.grownBytes(ResourceCounter.DISK_WRITE)),
                mebibytes(node.grownBytes(ResourceCounter.NET_EXT_SENT)),
                mebibytes(node.grownBytes(ResourceCounter.NET_EXT_RECEIVED)),
                Tree.count(node.samples()),
                Tree.number(node.observed().seconds(), "%,.1f"),
                Tree.number(node.observed().maxGapSeconds(), "%,.2f")));
        List<String> more = new ArrayList<>();
        int core = node.busiestCore();
        if (core >= 0) {
            more.add(String.format(
                    Locale.ROOT,
                    "busiest CPU %d: %s %% on average, %s %% at most",
                    core,
                    Tree.number(node.cores().get(core).averagePercent(), "%.1f"),
                    Tree.number(node.cores().get(core).maxPercent(), "%.1f")));
        }
        gauge(more, node, "pressure_cpu_some_pct", "tasks waited for CPU %.1f %% of the time");
        gauge(more, node, "pressure_memory_some_pct", "for memory %.1f %%");
        gauge(more, node, "pressure_io_some_pct", "for disks %.1f %%");
        gauge(more, node, "cgroup_cpu_limit", "limit %.2f CPUs");
        gauge(more, node, "cgroup_throttled_pct", "throttled %.1f %% of the time");
        gauge(more, node, "load1", "load %.2f");
        if (!more.isEmpty()) {
            lines.add(String.format(Locale.ROOT, "%-16s %s", "", String.join(", ", more)));
        }
    }

    private static void gauge(List<String> more, NodeResources node, String name, String format) {
        Double mean = node.gaugeMean(name);
        if (mean != null) {
            more.add(String.format(Locale.ROOT, format, mean));
        }
    }

    /** The figures that lightgbm-benchmark's collector would log, under its own names. */
    private static void collector(List<String> lines, Map<CollectorFigure, @Nullable Double> figures) {
        lines.add(String.format(
                Locale.ROOT,
                "%-16s as its collector has it: max_t_cpu_pct_per_cpu_avg %s, cpu_avg_utilization_pct %s, node_cpu_hours"
                        + " %s, max_t_mem_percent %s",
                "",
                Tree.number(figures.get(CollectorFigure.MAX_CPU_AVERAGE), "%.2f"),
                Tree.number(figures.get(CollectorFigure.CPU_UTILIZATION), "%.2f"),
                Tree.number(figures.get(CollectorFigure.NODE_CPU_HOURS), "%.4f"),
                Tree.number(figures.get(CollectorFigure.MAX_MEMORY), "%.2f")));
    }

    private static String mebibytes(@Nullable Long bytes) {
        return bytes == null ? "-" : String.format(Locale.ROOT, "%,.1f", bytes / (double) (1 << 20));
    }
}
