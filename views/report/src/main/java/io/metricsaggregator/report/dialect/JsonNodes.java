package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SessionState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts {@code nodes}, {@code nodes_expected}, {@code nodes_linger_s}, {@code nodes_repeated} and {@code nodes_discarded} of the JSON report of a fleet. */
final class JsonNodes {
    private JsonNodes() {}

    /** Adds the parts; none for a single daemon. */
    static void put(Map<String, @Nullable Object> tree, MetricsSnapshot snapshot) {
        Nodes nodes = FleetText.of(snapshot);
        if (nodes == null) {
            return;
        }
        tree.put(
                "nodes",
                FleetText.worstFirst(nodes).stream().map(JsonNodes::row).toList());
        if (nodes.expected() != null) {
            tree.put("nodes_expected", nodes.expected());
        }
        if (nodes.lingerSeconds() != null) {
            tree.put("nodes_linger_s", nodes.lingerSeconds());
        }
        tree.put("nodes_repeated", nodes.repeated());
        tree.put("nodes_discarded", nodes.discarded());
    }

    private static Map<String, @Nullable Object> row(NodeRow row) {
        SessionState session = row.session();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("node", row.node());
        tree.put("run_id", row.runId());
        tree.put("state", row.state().wire());
        tree.put("session", session == null ? null : session.wireName());
        tree.put("age_s", row.ageSeconds());
        tree.put("counter", row.counter());
        tree.put("missed", row.missed());
        tree.put("issued", row.issued());
        tree.put("completed", row.completed());
        tree.put("failed", row.failed());
        tree.put("in_flight", row.inFlight());
        tree.put("latency_p99_ns", row.latencyP99Nanos());
        tree.put("version", row.version());
        tree.put("offset_s", row.offsetSeconds());
        if (row.refused() != null) {
            tree.put("refused", row.refused());
        }
        return tree;
    }
}
