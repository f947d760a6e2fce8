package io.metricsaggregator.fleet;

import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that a fleet waits for.
 *
 * @param count number of nodes; 0 if it was not told
 * @param names names of nodes; empty if it was not told
 */
record Expectation(int count, List<String> names) {
    Expectation {
        if (count < 0) {
            throw new IllegalArgumentException("a fleet cannot expect " + count + " nodes");
        }
        names = List.copyOf(names);
    }

    /** Number of nodes waited for, by number or by name; 0 if the fleet was not told. */
    int size() {
        return Math.max(count, names.size());
    }

    /** Whether rows show every node waited for; a run that was lost and that its node started again counts once. */
    boolean isMet(List<NodeRow> rows) {
        Set<String> seen = new HashSet<>();
        Map<String, Integer> runs = new HashMap<>();
        int count = 0;
        for (NodeRow row : rows) {
            if (row.state() != NodeState.WAITING && !row.node().equals(NodeTable.UNIDENTIFIED)) {
                runs.merge(row.node(), 1, Integer::sum);
                seen.add(row.node());
                count++;
            }
        }
        for (NodeRow row : rows) {
            if (row.state() == NodeState.LOST && runs.getOrDefault(row.node(), 0) > 1) {
                runs.merge(row.node(), -1, Integer::sum);
                count--;
            }
        }
        return count >= this.count && seen.containsAll(names);
    }
}
