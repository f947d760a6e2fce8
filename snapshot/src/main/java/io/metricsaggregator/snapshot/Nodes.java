package io.metricsaggregator.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose snapshots a fleet adds up.
 *
 * @param rows a row for each node in the order in which they were first seen, at most {@value #ROWS_MAX}, then the row {@link NodeRow#OTHER}
 * @param expected nodes that the fleet waits for ({@code fleet --expect}); null if it was not told
 * @param repeated snapshots of runs that reached the fleet on a second way and counted once
 * @param discarded frames that were no snapshot, or came from nodes beyond {@code fleet --max-nodes}
 */
public record Nodes(List<NodeRow> rows, @Nullable Long expected, long repeated, long discarded) {
    /** Most rows, without the row {@link NodeRow#OTHER}. */
    public static final int ROWS_MAX = 1024;

    public Nodes {
        rows = List.copyOf(rows);
    }

    /** Number of rows in a state. The row {@link NodeRow#OTHER} counts as one. */
    public long count(NodeState state) {
        return rows.stream().filter(row -> row.state() == state).count();
    }
}
