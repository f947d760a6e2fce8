package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the nodes of a fleet: how many are in each state, and the figures of each with the labels {@code node} and {@code run}. */
final class NodeExport {
    /** Nodes with figures of their own, in the order in which they were first seen, so that their series do not come and go. */
    private static final int NODES_MAX = 256;

    private NodeExport() {}

    /** Adds the nodes; null for a single daemon, which has none. */
    static void add(@Nullable Nodes nodes, DistinctMetrics out) {
        if (nodes == null) {
            return;
        }
        for (NodeState each : NodeState.values()) {
            out.gauge("fleet_nodes", "nodes of the fleet, by state", Map.of("state", each.wire()), nodes.count(each));
        }
        out.gauge(
                "fleet_nodes_refused",
                "nodes that the fleet left out of its sums",
                Map.of(),
                nodes.rows().stream().filter(row -> row.refused() != null).count());
        out.gauge("fleet_nodes_expected", "nodes that the fleet waits for", Map.of(), nodes.expected());
        out.counter(
                "fleet_snapshots_repeated",
                "snapshots that arrived through a second endpoint and counted once",
                Map.of(),
                nodes.repeated());
        out.counter(
                "fleet_frames_discarded",
                "frames that were no snapshot, or came from nodes beyond --max-nodes",
                Map.of(),
                nodes.discarded());
        List<NodeRow> rows = nodes.rows();
        out.countLeftOut(Math.max(0, rows.size() - NODES_MAX));
        rows.subList(0, Math.min(NODES_MAX, rows.size())).forEach(row -> node(row, out));
    }

    private static void node(NodeRow row, DistinctMetrics out) {
        Map<String, String> labels = Map.of("node", row.node(), "run", row.runId());
        for (NodeState each : NodeState.values()) {
            out.gauge(
                    "fleet_node_state",
                    "1 for the state that the node is in, 0 for the others",
                    Map.of("node", row.node(), "run", row.runId(), "state", each.wire()),
                    each == row.state() ? 1 : 0);
        }
        out.gauge(
                "fleet_node_refused",
                "1 for a node that the fleet left out of its sums, else 0",
                labels,
                row.refused() == null ? 0 : 1);
        out.counter("fleet_node_issued", "tracked samples issued, by node", labels, row.issued());
        out.counter("fleet_node_completed", "tracked samples completed, by node", labels, row.completed());
        out.counter("fleet_node_failed", "tracked samples that failed, by node", labels, row.failed());
        out.counter(
                "fleet_node_snapshots_missed",
                "snapshots of a node that never came, from the gaps in their numbers",
                labels,
                row.missed());
        out.gauge("fleet_node_in_flight", "samples in flight in the last snapshot of a node", labels, row.inFlight());
        out.gauge("fleet_node_age_seconds", "time since the last snapshot of a node", labels, row.ageSeconds());
        out.gauge(
                "fleet_node_latency_p99_seconds",
                "99th percentile of the latency, by node",
                labels,
                DistinctMetrics.seconds(row.latencyP99Nanos()));
        out.gauge(
                "fleet_node_clock_offset_seconds",
                "how far the clock of a node is ahead of that of the fleet",
                labels,
                row.offsetSeconds());
    }
}
