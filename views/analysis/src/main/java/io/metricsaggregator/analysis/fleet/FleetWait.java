package io.metricsaggregator.analysis.fleet;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fleet without a live node that waits for others: its figures of the last seconds are empty, and its run is not over.
 *
 * @param awaited the nodes it waits for, in words; names are escaped
 * @param seconds since the last snapshot of any node arrived
 * @param lingerSeconds longest wait after the first end; null for no limit
 */
public record FleetWait(
        String awaited, double seconds, @Nullable Double lingerSeconds) {
    /** The word shown in the place of the state. */
    public static final String STATE = "WAITING";

    /** Nodes that the text names; it counts the others. */
    private static final int NAMED_MAX = 8;

    /** What the fleet waits for; null for a single daemon, a fleet with a live or stale node, one that no node has reached, and one that has ended. */
    public static @Nullable FleetWait of(MetricsSnapshot snapshot) {
        Nodes nodes = FleetText.of(snapshot);
        if (nodes == null
                || snapshot.state().isTerminal()
                || nodes.count(NodeState.LIVE) + nodes.count(NodeState.STALE) > 0) {
            return null;
        }
        double youngest = Double.POSITIVE_INFINITY;
        for (NodeRow row : nodes.rows()) {
            Double age = row.ageSeconds();
            youngest = age == null ? youngest : Math.min(youngest, age);
        }
        String awaited = awaited(nodes);
        return youngest == Double.POSITIVE_INFINITY || awaited.isEmpty()
                ? null
                : new FleetWait(awaited, youngest, nodes.lingerSeconds());
    }

    /** The state of a snapshot in one word: {@value #STATE} for a fleet that waits. */
    public static String state(MetricsSnapshot snapshot) {
        return of(snapshot) == null ? snapshot.state().name() : STATE;
    }

    private static String awaited(Nodes nodes) {
        List<String> names = new ArrayList<>(names(nodes, NodeState.WAITING));
        long seen = nodes.rows().stream()
                .filter(row -> row.state() != NodeState.WAITING)
                .map(NodeRow::node)
                .distinct()
                .count();
        long expected = nodes.expected() == null ? 0 : nodes.expected();
        long unnamed = Math.max(0, expected - seen - names.size());
        if (names.isEmpty() && unnamed == 0) {
            List<String> lost = nodes.count(NodeState.ENDED) > 0 ? List.of() : names(nodes, NodeState.LOST);
            return lost.isEmpty() ? "" : listed(lost, 0) + " (lost)";
        }
        return listed(names, unnamed);
    }

    private static List<String> names(Nodes nodes, NodeState state) {
        return nodes.rows().stream()
                .filter(row -> row.state() == state)
                .map(row -> FleetText.name(row, nodes))
                .toList();
    }

    private static String listed(List<String> names, long unnamed) {
        long others = Math.max(0, names.size() - NAMED_MAX) + unnamed;
        String text = String.join(", ", names.subList(0, Math.min(NAMED_MAX, names.size())));
        if (others == 0) {
            return text;
        }
        String counted = String.format(Locale.ROOT, "%,d more %s", others, others == 1 ? "node" : "nodes");
        return text.isEmpty() ? counted : text + " and " + counted;
    }

    /** The wait as a clause: {@code for gpu-3, no live node for 0:35, no time limit (--linger)}. */
    public String clause() {
        Double limit = lingerSeconds;
        return String.format(
                Locale.ROOT,
                "for %s, no live node for %s, %s",
                awaited,
                Figures.duration(seconds * 1e9),
                limit == null
                        ? "no time limit (--linger)"
                        : "at most " + Figures.duration(limit * 1e9) + " after the first end (--linger)");
    }
}
