package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.ClientHost;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes' resources in words: the cluster, then a few lines for each node. */
final class ResourceText {
    private static final int NODES_MAX = 16;

    private ResourceText() {}

    /** Lines of the run; none if no node reported or was expected to. */
    static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> resource = Tree.of(snapshot, "resource");
        if (resource.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        Map<?, ?> cluster = Tree.map(resource.get("cluster"));
        lines.add(String.format(
                Locale.ROOT,
                "%s of %s nodes report; %s CPU hours, %s %% used; %s MiB read, %s MiB written, %s MiB sent, %s MiB received",
                Tree.count(cluster.get("n_nodes_reporting")),
                Tree.count(cluster.get("n_nodes")),
                Tree.number(cluster.get("total_cpu_hours"), "%.3f"),
                Tree.number(cluster.get("cpu_avg_pct_weighted"), "%.1f"),
                mebibytes(cluster.get("job_disk_read_bytes")),
                mebibytes(cluster.get("job_disk_write_bytes")),
                mebibytes(cluster.get("job_net_ext_sent_bytes")),
                mebibytes(cluster.get("job_net_ext_recv_bytes"))));
        List<?> missing = Tree.list(resource.get("nodes_missing"));
        if (!missing.isEmpty()) {
            lines.add("MISSING: "
                    + Tree.text(
                            String.join(
                                    ", ", missing.stream().map(String::valueOf).toList()),
                            400));
        }
        int shown = 0;
        Map<?, ?> nodes = Tree.map(resource.get("by_node"));
        for (Map.Entry<?, ?> each : nodes.entrySet()) {
            Map<?, ?> node = Tree.map(each.getValue());
            if (!(node.get("n_samples") instanceof Long samples) || samples == 0) {
                continue;
            }
            if (shown++ == NODES_MAX) {
                lines.add("and " + (nodes.size() - NODES_MAX) + " more nodes");
                break;
            }
            node(lines, Tree.text(each.getKey(), 24), node);
            original(lines, Tree.map(Tree.map(resource.get("compat")).get(each.getKey())));
        }
        if (resource.get("compat_error") instanceof String error) {
            lines.add("the original collector would report nothing: " + Tree.text(error, 100));
        }
        return lines;
    }

    private static void node(List<String> lines, String name, Map<?, ?> node) {
        lines.add(String.format(
                Locale.ROOT,
                "%-16s cpu %s %% now, %s %% on average, %s %% at most; over 80 %% for %s %% of the time; memory %s %% at"
                        + " most",
                name,
                Tree.number(node.get("now_cpu_pct"), "%.1f"),
                Tree.number(node.get("cpu_avg_pct"), "%.1f"),
                Tree.number(node.get("cpu_max_of_avg_pct"), "%.1f"),
                Tree.number(node.get("cpu_over80_pct"), "%.1f"),
                Tree.number(node.get("mem_max_pct"), "%.1f")));
        lines.add(String.format(
                Locale.ROOT,
                "%-16s %s MiB read, %s written, %s sent, %s received; %s samples over %s s, the longest gap %s s",
                "",
                Tree.number(node.get("job_disk_read_mib"), "%,.1f"),
                Tree.number(node.get("job_disk_write_mib"), "%,.1f"),
                Tree.number(node.get("job_net_ext_sent_mib"), "%,.1f"),
                Tree.number(node.get("job_net_ext_recv_mib"), "%,.1f"),
                Tree.count(node.get("n_samples")),
                Tree.number(node.get("observed_s"), "%,.1f"),
                Tree.number(node.get("max_gap_s"), "%,.2f")));
        List<String> more = new ArrayList<>();
        int core = ClientHost.busiestCore(node);
        if (core >= 0) {
            more.add(String.format(
                    Locale.ROOT,
                    "busiest CPU %d: %s %% on average, %s %% at most",
                    core,
                    Tree.number(Tree.list(node.get("core_avg_pct")).get(core), "%.1f"),
                    at(node.get("core_max_pct"), core)));
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

    private static String at(@Nullable Object list, int index) {
        List<?> values = Tree.list(list);
        return index < values.size() ? Tree.number(values.get(index), "%.1f") : "-";
    }

    private static void gauge(List<String> more, Map<?, ?> node, String name, String format) {
        double mean = Tree.real(Tree.map(node.get(name)).get("mean"));
        if (!Double.isNaN(mean)) {
            more.add(String.format(Locale.ROOT, format, mean));
        }
    }

    /** As the original names and computes them: of the reports it would have kept. */
    private static void original(List<String> lines, Map<?, ?> compat) {
        if (!compat.isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-16s as its collector has it: max_t_cpu_pct_per_cpu_avg %s, cpu_avg_utilization_pct %s, node_cpu_hours"
                            + " %s, max_t_mem_percent %s",
                    "",
                    Tree.number(compat.get("max_t_cpu_pct_per_cpu_avg"), "%.2f"),
                    Tree.number(compat.get("cpu_avg_utilization_pct"), "%.2f"),
                    Tree.number(compat.get("node_cpu_hours"), "%.4f"),
                    Tree.number(compat.get("max_t_mem_percent"), "%.2f")));
        }
    }

    private static String mebibytes(@Nullable Object bytes) {
        double value = Tree.real(bytes);
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,.1f", value / (1 << 20));
    }
}
