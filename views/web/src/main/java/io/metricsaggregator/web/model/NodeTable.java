package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.report.section.NodeSection;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of a fleet's nodes, the troubled ones on top. */
final class NodeTable {
    /** Rows of the table; a sentence counts the others. */
    private static final int ROWS_MAX = 50;

    private NodeTable() {}

    /** The table; null for a single daemon. */
    static @Nullable Map<String, Object> of(MetricsSnapshot snapshot) {
        Nodes nodes = FleetText.of(snapshot);
        if (nodes == null) {
            return null;
        }
        TableTree table = new TableTree("nodes", "Fleet nodes")
                .text("Node")
                .text("State")
                .numbers("Age", "Issued", "Completed", "Failed", "In flight", "Latency ≈p99", "Missed", "Clock")
                .whenEmpty("None yet.");
        List<NodeRow> rows = FleetText.worstFirst(nodes);
        List<NodeRow> shown = rows.subList(0, Math.min(ROWS_MAX, rows.size()));
        for (NodeRow row : shown) {
            List<Object> cells = new ArrayList<>(NodeSection.cells(row, nodes));
            cells.set(1, Texts.cell(NodeCondition.of(row).marked(), Texts.tone(NodeSection.tone(row))));
            table.row(cells);
        }
        List<String> sentences = new ArrayList<>(List.of(FleetText.counts(nodes)));
        if (rows.size() > shown.size()) {
            List<NodeRow> others = rows.subList(shown.size(), rows.size());
            sentences.add("not shown: " + FleetText.counts(others));
        }
        sentences.addAll(FleetText.remarks(nodes));
        table.note(String.join(". ", sentences) + ".");
        return table.tree();
    }
}
