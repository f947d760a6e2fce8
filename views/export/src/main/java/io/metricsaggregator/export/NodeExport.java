package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the nodes of a fleet: how many are in each state, and the figures of each with the labels {@code node} and {@code run}. */
final class NodeExport {
    private static final double SECONDS = 1e-9;
    /** Nodes with figures of their own, in the order in which they were first seen, so that their series do not come and go. */
    private static final int NODES_MAX = 256;

    private final DistinctMetrics out;
    private final String prefix;

    private NodeExport(DistinctMetrics out, String prefix) {
        this.out = out;
        this.prefix = prefix;
    }

    /** Adds the nodes; null for a single daemon, which has none. */
    static void add(@Nullable Nodes nodes, String prefix, DistinctMetrics out) {
        if (nodes == null) {
            return;
        }
        NodeExport export = new NodeExport(out, prefix);
        for (NodeState each : NodeState.values()) {
            export.gauge("fleet_nodes", "nodes of the fleet, by state", Map.of("state", each.wire()), (double)
                    nodes.count(each));
        }
        export.gauge("fleet_nodes_refused", "nodes that the fleet left out of its sums", Map.of(), (double)
                nodes.rows().stream().filter(row -> row.refused() != null).count());
        if (nodes.expected() != null) {
            export.gauge("fleet_nodes_expected", "nodes that the fleet waits for", Map.of(), (double) nodes.expected());
        }
        export.counter(
                "fleet_snapshots_repeated",
                "snapshots that arrived through a second endpoint and counted once",
                Map.of(),
                nodes.repeated());
        export.counter(
                "fleet_frames_discarded",
                "frames that were no snapshot, or came from nodes beyond --max-nodes",
                Map.of(),
                nodes.discarded());
        List<NodeRow> rows = nodes.rows();
        out.countLeftOut(Math.max(0, rows.size() - NODES_MAX));
        rows.subList(0, Math.min(NODES_MAX, rows.size())).forEach(export::node);
    }

    private void node(NodeRow row) {
        Map<String, String> labels = Map.of("node", row.node(), "run", row.runId());
        for (NodeState each : NodeState.values()) {
            gauge(
                    "fleet_node_state",
                    "1 for the state that the node is in, 0 for the others",
                    Map.of("node", row.node(), "run", row.runId(), "state", each.wire()),
                    each == row.state() ? 1 : 0);
        }
        gauge(
                "fleet_node_refused",
                "1 for a node that the fleet left out of its sums, else 0",
                labels,
                row.refused() == null ? 0 : 1);
        counter("fleet_node_issued", "tracked samples issued, by node", labels, row.issued());
        counter("fleet_node_completed", "tracked samples completed, by node", labels, row.completed());
        counter("fleet_node_failed", "tracked samples that failed, by node", labels, row.failed());
        counter(
                "fleet_node_snapshots_missed",
                "snapshots of a node that never came, from the gaps in their numbers",
                labels,
                row.missed());
        gauge("fleet_node_in_flight", "samples in flight in the last snapshot of a node", labels, (double)
                row.inFlight());
        if (row.ageSeconds() != null) {
            gauge("fleet_node_age_seconds", "time since the last snapshot of a node", labels, row.ageSeconds());
        }
        if (row.latencyP99Nanos() != null) {
            gauge(
                    "fleet_node_latency_p99_seconds",
                    "99th percentile of the latency, by node",
                    labels,
                    row.latencyP99Nanos() * SECONDS);
        }
        if (row.offsetSeconds() != null) {
            gauge(
                    "fleet_node_clock_offset_seconds",
                    "how far the clock of a node is ahead of that of the fleet",
                    labels,
                    row.offsetSeconds());
        }
    }

    private void gauge(String name, String help, Map<String, String> labels, double value) {
        out.add(new Exported.Gauge(prefix + name, help, labels, value));
    }

    private void counter(String name, String help, Map<String, String> labels, long value) {
        out.add(new Exported.Counter(prefix + name, help, labels, (double) value));
    }
}
