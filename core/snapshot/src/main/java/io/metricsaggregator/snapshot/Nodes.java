package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose snapshots a fleet adds up.
 *
 * @param rows a row for each node in the order in which they were first seen, at most {@value #ROWS_MAX}, then the row {@link NodeRow#OTHER}
 * @param expected nodes that the fleet waits for ({@code fleet --expect}); null if it was not told
 * @param lingerSeconds longest wait for other nodes after the first has ended ({@code fleet --linger}); null for no limit
 * @param repeated snapshots of runs that reached the fleet on a second way and counted once
 * @param discarded frames that were no snapshot, or came from nodes beyond {@code fleet --max-nodes}
 */
public record Nodes(
        List<NodeRow> rows,
        @Nullable Long expected,
        @Nullable Double lingerSeconds,
        long repeated,
        long discarded) {
    /** Most rows, without the row {@link NodeRow#OTHER}. */
    public static final int ROWS_MAX = 1024;

    static @Nullable Nodes pass(Sections s, @Nullable Nodes v) throws MalformedMessageException {
        List<NodeRow> rows = s.absentList("nodes", v == null ? null : v.rows, NodeRow::pass, NodeRow.BLANK);
        Long expected = s.absentForm("nodes_expected", v == null ? null : v.expected, Forms.INTEGER);
        Double lingerSeconds = s.absentForm("nodes_linger_s", v == null ? null : v.lingerSeconds, Forms.NUMBER);
        Long repeated = s.absentForm("nodes_repeated", v == null ? null : (Long) v.repeated, Forms.INTEGER);
        Long discarded = s.absentForm("nodes_discarded", v == null ? null : (Long) v.discarded, Forms.INTEGER);
        return rows == null
                ? null
                : new Nodes(
                        rows,
                        expected,
                        lingerSeconds,
                        repeated == null ? 0 : repeated,
                        discarded == null ? 0 : discarded);
    }

    public Nodes {
        rows = List.copyOf(rows);
    }

    /** Nodes of a fleet that waits without a limit. */
    public Nodes(List<NodeRow> rows, @Nullable Long expected, long repeated, long discarded) {
        this(rows, expected, null, repeated, discarded);
    }

    /** At most {@value #ROWS_MAX} rows: those beyond are summed in a last row {@link NodeRow#OTHER}, whose state is the worst of theirs. */
    public static List<NodeRow> bounded(List<NodeRow> rows) {
        List<NodeRow> kept = new ArrayList<>();
        NodeRow other = null;
        for (NodeRow row : rows) {
            if (kept.size() < ROWS_MAX && !row.node().equals(NodeRow.OTHER)) {
                kept.add(row);
            } else {
                other = other == null ? row.asOther() : other.and(row);
            }
        }
        if (other != null) {
            kept.add(other);
        }
        return kept;
    }

    /** Number of rows in a state. The row {@link NodeRow#OTHER} counts as one. */
    public long count(NodeState state) {
        return rows.stream().filter(row -> row.state() == state).count();
    }
}
