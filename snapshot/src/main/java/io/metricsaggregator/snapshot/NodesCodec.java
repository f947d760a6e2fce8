package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Nodes} to and from the keys {@code nodes}, {@code nodes_expected}, {@code nodes_linger_s}, {@code nodes_repeated} and {@code nodes_discarded}. */
final class NodesCodec {
    private NodesCodec() {}

    static void put(Map<String, @Nullable Object> tree, @Nullable Nodes nodes) {
        if (nodes == null) {
            return;
        }
        tree.put("nodes", nodes.rows().stream().map(NodesCodec::row).toList());
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
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("node", row.node());
        tree.put("run_id", row.runId());
        tree.put("state", row.state().wire());
        tree.put("session", row.session() == null ? null : row.session().wireName());
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

    /** Reads the rows and the counts beside them; null for the snapshot of a single daemon. */
    @SuppressWarnings("NullAway") // It does not infer that the type argument is nullable.
    static @Nullable Nodes read(Sections from) throws MalformedMessageException {
        List<NodeRow> rows = from.section("nodes", NodesCodec::rows);
        return rows == null
                ? null
                : new Nodes(
                        rows,
                        from.section(
                                "nodes_expected",
                                expected -> expected == null ? null : (Long) integer("nodes_expected", expected)),
                        from.section(
                                "nodes_linger_s",
                                linger -> linger == null ? null : (Double) real("nodes_linger_s", linger)),
                        from.section("nodes_repeated", repeated -> later("nodes_repeated", repeated)),
                        from.section("nodes_discarded", discarded -> later("nodes_discarded", discarded)));
    }

    private static @Nullable List<NodeRow> rows(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        List<NodeRow> rows = new ArrayList<>();
        for (Object element : list("nodes", value)) {
            rows.add(readRow(map("nodes", element)));
        }
        return rows;
    }

    private static NodeRow readRow(Map<?, ?> row) throws MalformedMessageException {
        NodeState state = NodeState.ofWire(text("nodes.state", row.get("state")));
        Object session = row.get("session");
        Object age = row.get("age_s");
        Object latency = row.get("latency_p99_ns");
        Object offset = row.get("offset_s");
        Object refused = row.get("refused");
        return new NodeRow(
                text("nodes.node", row.get("node")),
                text("nodes.run_id", row.get("run_id")),
                // A state of a later version: the node is known, and what it does is not.
                state == null ? NodeState.STALE : state,
                session == null ? null : MsgpackSnapshotCodec.state(session),
                age == null ? null : (Double) real("nodes.age_s", age),
                integer("nodes.counter", row.get("counter")),
                integer("nodes.missed", row.get("missed")),
                integer("nodes.issued", row.get("issued")),
                integer("nodes.completed", row.get("completed")),
                integer("nodes.failed", row.get("failed")),
                integer("nodes.in_flight", row.get("in_flight")),
                latency == null ? null : (Long) integer("nodes.latency_p99_ns", latency),
                text("nodes.version", row.get("version")),
                offset == null ? null : (Double) real("nodes.offset_s", offset),
                refused == null ? null : text("nodes.refused", refused));
    }

    private static long later(String field, @Nullable Object value) throws MalformedMessageException {
        return value == null ? 0 : integer(field, value);
    }
}
