package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether every node of a fleet is in its sums up to the end: one finding for each condition that needs attention. */
final class FleetNodes implements Check {
    private static final int REASON_MAX = 200;
    /** Nodes that a sentence names; it counts the others. */
    private static final int NAMED_MAX = 8;

    @Override
    public String name() {
        return "nodes of a fleet";
    }

    @Override
    public String effect() {
        return "a node is lost or left out of the sums, or was expected and never seen: invalid. A node is stale, or its run was"
                + " interrupted: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Nodes nodes = FleetText.of(snapshot);
        if (nodes == null) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        for (NodeCondition condition : NodeCondition.values()) {
            List<NodeRow> rows = FleetText.worstFirst(nodes).stream()
                    .filter(each -> NodeCondition.of(each) == condition)
                    .toList();
            String meaning = meaning(condition, rows.size() == 1);
            if (!rows.isEmpty() && meaning != null) {
                Finding.Weight weight =
                        condition == NodeCondition.WAITING && snapshot.state().isTerminal()
                                ? Finding.Weight.BAD
                                : weight(condition);
                findings.add(new Finding(weight, condition.word() + " nodes", named(rows, nodes) + meaning));
            }
        }
        if (findings.isEmpty()) {
            findings.add(new Finding(Finding.Weight.GOOD, "nodes", FleetText.counts(nodes)));
        }
        return findings;
    }

    private static Finding.Weight weight(NodeCondition condition) {
        return switch (condition) {
            case LOST, REFUSED -> Finding.Weight.BAD;
            case STALE, INTERRUPTED -> Finding.Weight.REMARK;
            case WAITING -> Finding.Weight.UNKNOWN;
            case LIVE, ENDED -> Finding.Weight.GOOD;
        };
    }

    /** What the condition means for the figures; null where it needs no attention. */
    private static @Nullable String meaning(NodeCondition condition, boolean one) {
        return switch (condition) {
            case LOST ->
                (one ? " stopped sending before its run ended" : " stopped sending before their runs ended")
                        + "; the last counts are in the sums, later samples are not";
            case REFUSED -> one ? " is not in the sums" : " are not in the sums";
            case STALE -> (one ? " sends" : " send") + " no snapshots; the last counts are in the sums";
            case INTERRUPTED -> " ended before the session did";
            case WAITING -> (one ? " was" : " were") + " expected and never sent a snapshot";
            case LIVE, ENDED -> null;
        };
    }

    private static String named(List<NodeRow> rows, Nodes nodes) {
        String names =
                rows.stream().limit(NAMED_MAX).map(each -> named(each, nodes)).collect(Collectors.joining(", "));
        return rows.size() <= NAMED_MAX
                ? names
                : names + String.format(Locale.ROOT, " and %,d more", rows.size() - NAMED_MAX);
    }

    private static String named(NodeRow row, Nodes nodes) {
        String reason = row.refused();
        Double age = row.ageSeconds();
        String name = FleetText.name(row, nodes);
        return switch (NodeCondition.of(row)) {
            case REFUSED -> name + " (" + Printable.escape(reason == null ? "" : reason, REASON_MAX) + ")";
            case LOST, STALE -> age == null ? name : name + " (" + Figures.duration(age * 1e9) + " ago)";
            case INTERRUPTED, WAITING, LIVE, ENDED -> name;
        };
    }
}
