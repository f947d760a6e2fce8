package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
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
        tree.put("nodes", ReportFields.all("node", FleetText.worstFirst(nodes), NodeRow::pass));
        if (nodes.expected() != null) {
            tree.put("nodes_expected", nodes.expected());
        }
        if (nodes.lingerSeconds() != null) {
            tree.put("nodes_linger_s", nodes.lingerSeconds());
        }
        tree.put("nodes_repeated", nodes.repeated());
        tree.put("nodes_discarded", nodes.discarded());
    }
}
