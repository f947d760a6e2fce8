package io.metricsaggregator.analysis.fleet;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the nodes of a fleet: their order in tables and their counts by condition. Names are escaped. */
public final class FleetText {
    private static final int NAME_MAX = 40;
    private static final int REASON_MAX = 200;
    /** Nodes that a sentence names; it counts the others. */
    private static final int NAMED_MAX = 8;

    private FleetText() {}

    /** The nodes of a fleet; null in the snapshot of a single daemon. */
    public static @Nullable Nodes of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().nodes();
    }

    /** The rows by {@link NodeCondition}, the worst first, among equals the one longest without a snapshot; the row of all others is last. */
    public static List<NodeRow> worstFirst(Nodes nodes) {
        return nodes.rows().stream()
                .sorted(Comparator.comparing(FleetText::isOther)
                        .thenComparing(NodeCondition::of)
                        .thenComparing(FleetText::troubledAge, Comparator.reverseOrder()))
                .toList();
    }

    /** The age of a node whose condition is worse than waiting; 0 of others, which keep the order in which they came. */
    private static double troubledAge(NodeRow row) {
        Double age = row.ageSeconds();
        return age == null || NodeCondition.of(row).compareTo(NodeCondition.WAITING) >= 0 ? 0 : age;
    }

    private static boolean isOther(NodeRow row) {
        return row.node().equals(NodeRow.OTHER) && row.runId().isEmpty();
    }

    /** Counts by condition, the worst first: {@code 10 nodes: 1 lost, 1 stale, 8 live}. */
    public static String counts(Nodes nodes) {
        long all = nodes.rows().size();
        Long expected = nodes.expected();
        return String.format(
                Locale.ROOT,
                "%,d %s%s: %s",
                all,
                all == 1 ? "node" : "nodes",
                expected == null ? "" : String.format(Locale.ROOT, " (%,d expected)", expected),
                counts(nodes.rows()));
    }

    /** Counts of rows by condition: {@code 1 lost, 8 live}; {@code none} without rows. */
    public static String counts(List<NodeRow> rows) {
        Map<NodeCondition, Long> counts = rows.stream()
                .collect(Collectors.groupingBy(
                        NodeCondition::of, () -> new EnumMap<>(NodeCondition.class), Collectors.counting()));
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .map(each -> String.format(
                                Locale.ROOT,
                                "%,d %s",
                                each.getValue(),
                                each.getKey().word()))
                        .collect(Collectors.joining(", "));
    }

    /** The name of a node, with its run if another row has the same name. */
    public static String name(NodeRow row, Nodes nodes) {
        String name = Printable.escape(row.node(), NAME_MAX);
        boolean shared = !row.runId().isEmpty()
                && nodes.rows().stream()
                                .filter(each -> each.node().equals(row.node()))
                                .count()
                        > 1;
        return shared ? name + " (run " + Printable.escape(row.runId(), NAME_MAX) + ")" : name;
    }

    /** Sentences without a full stop: nodes left out and why, differing versions, repeated and discarded snapshots. */
    public static List<String> remarks(Nodes nodes) {
        List<String> remarks = new ArrayList<>();
        List<NodeRow> refused =
                nodes.rows().stream().filter(each -> each.refused() != null).toList();
        for (NodeRow row : refused.subList(0, Math.min(NAMED_MAX, refused.size()))) {
            String reason = row.refused() == null ? "" : row.refused();
            remarks.add(name(row, nodes) + " is not in the sums: " + Printable.escape(reason, REASON_MAX));
        }
        if (refused.size() > NAMED_MAX) {
            remarks.add(String.format(Locale.ROOT, "%,d more nodes are not in the sums", refused.size() - NAMED_MAX));
        }
        Map<String, Long> versions = nodes.rows().stream()
                .filter(each -> !each.version().isEmpty())
                .collect(Collectors.groupingBy(NodeRow::version, TreeMap::new, Collectors.counting()));
        if (versions.size() > 1) {
            remarks.add("the daemons are of different versions: "
                    + versions.entrySet().stream()
                            .limit(NAMED_MAX)
                            .map(each -> Printable.escape(each.getKey(), NAME_MAX) + " (" + each.getValue() + ")")
                            .collect(Collectors.joining(", ")));
        }
        count(remarks, nodes.repeated(), "snapshots arrived through a second endpoint and counted once");
        count(remarks, nodes.discarded(), "frames were discarded: no snapshots, or from nodes beyond --max-nodes");
        return remarks;
    }

    private static void count(List<String> remarks, long count, String what) {
        if (count > 0) {
            remarks.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
